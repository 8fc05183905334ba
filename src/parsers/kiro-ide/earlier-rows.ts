import { compact, isBare, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { errorDraft } from '../../rows/problem.js';
import { problems } from '../json-store.js';
import { contentOf } from './content.js';
import type { Element } from './document.js';
import { type Earlier, REPEATED, type Told } from './earlier.js';
import { details, knownRole, rest, textOf, texts } from './fields.js';
import { Given } from './given.js';
import { answerIdentity, callIdentity, promptIdentity, repeatedIdentity } from './identity.js';
import { promptRows } from './message-rows.js';
import { isBoilerplate, isPlaceholder, splitPrompt } from './prompt-text.js';

type Columns = { readonly session_id: string; readonly project_path: string };
const COPY = { recovered: 'transcript', confidence: 'complete', rank: 3 } as const;

/**
 * The conversation before this execution, as far as the log repeats it, behind a notice. These rows have no time of their own;
 * most are copies of rows of other files, and stay where those are gone.
 */
export function* earlierRows(earlier: Earlier, { session_id, project_path }: Columns, execution: string): Generator<Draft> {
  const columns = { session_id, project_path };
  const rows = [...toldRows(earlier, columns), ...repeatedRows(earlier, columns)];
  const copies = rows.filter((row) => row.recovered).length;
  if (copies > 0)
    yield {
      row_type: 'recovered',
      text: `recovered: conversation repeated in an execution log execution=${execution} recovered=${copies} rows`,
      ...columns,
    };
  yield* rows;
}

/** Messages as the window showed them, which name the execution they belong to. */
function* toldRows({ told, document }: Earlier, columns: Columns): Generator<Draft> {
  for (const element of document.elements('input', 'data', 'messages')) {
    if ('error' in element) yield { ...element.error, ...columns };
    else if (!isObject(element.value)) yield wrongMessage(element, columns);
  }
  for (const message of told) yield* toldRow(message, columns);
}

function* toldRow({ text, pointer, details: extra, execution, role }: Told, columns: Columns): Generator<Draft> {
  const place = { ...columns, ...COPY, source_pointer: pointer, details: details({ ...extra, execution_id: execution }) };
  if (role === 'user') {
    const identity = promptIdentity(execution) ?? repeatedIdentity(columns.session_id, 'prompt');
    yield* promptRows(text, { ...place, origin: 'typed', identity });
  } else if (isPlaceholder(text) || text === '')
    yield { row_type: 'context', text: `answer placeholder: ${text}`, origin: 'automatic', ...place };
  else {
    const identity = answerIdentity(execution) ?? repeatedIdentity(columns.session_id, 'assistant');
    yield { row_type: 'assistant', text, origin: 'agent', ...place, identity };
  }
}

/** Messages as the model got them. What the same file has said already is left out, as is what its actions say. */
function* repeatedRows(earlier: Earlier, columns: Columns): Generator<Draft> {
  const { told, own, session, execution: current } = earlier;
  const prompts = [...told.filter((message) => message.role === 'user'), ...(own ? [{ ...own, execution: current }] : [])];
  const said = prompts.map(({ text, execution }) => ({ said: splitPrompt(text).said, execution }));
  const given = new Given([...said.map((prompt) => keyOf('user', prompt.said)), ...told.map(({ role, text }) => keyOf(role, text))]);
  for (const answer of earlier.answers) given.add(keyOf('assistant', answer));
  for (const list of REPEATED) {
    const turns = [...said];
    let execution = '';
    for (const element of earlier.document.elements(...list)) {
      if ('error' in element) yield { ...element.error, ...columns };
      else if (!isObject(element.value)) yield wrongMessage(element, columns);
      else {
        const message = element.value;
        for (const [i, entry] of entriesOf(message).entries()) {
          const words = textOf(message, 'role') === 'human' ? splitPrompt(textOf(entry, 'text')).said : '';
          const turn = words === '' ? -1 : turns.findIndex((one) => one.said === words);
          if (turn >= 0) execution = turns.splice(0, turn + 1).at(-1)?.execution ?? '';
          yield* entryRows({
            entry,
            message,
            element,
            pointer: step(`${element.pointer}/entries`, i),
            execution,
            session,
            columns,
            given,
            earlier,
          });
        }
      }
    }
  }
}

/** Builds write `entries`; a message in another form is taken for what it holds. */
function entriesOf(message: JsonObject): unknown[] {
  const { entries, content } = message;
  const { text, others, calls, executions } = contentOf(content);
  const found = [
    ...(Array.isArray(entries) ? entries : entries === undefined || entries === null ? [] : [entries]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...[...others, ...calls, ...executions].filter((part) => part !== null),
  ];
  const further = rest(message, ...knownRole(message), 'entries', 'content');
  return found.length === 0 && Object.keys(further).length > 0 ? [further] : found;
}

interface Repeated {
  readonly entry: unknown;
  readonly message: JsonObject;
  readonly element: Element;
  readonly pointer: string;
  readonly execution: string;
  readonly session: string;
  readonly columns: Columns;
  readonly given: Given;
  readonly earlier: Earlier;
}

function* entryRows(repeated: Repeated): Generator<Draft> {
  const { entry, message, element, pointer, execution, session, columns, given, earlier } = repeated;
  const role = textOf(message, 'role');
  const type = textOf(entry, 'type');
  const id = textOf(entry, 'id');
  const isCall = type === 'toolUse' || type === 'toolUseResponse';
  const others = rest(message, ...knownRole(message), 'entries', 'content');
  const plain = isBare(others);
  // Calls of this execution, and their results, stand in its actions.
  if (isCall && plain && earlier.isActed(id)) return;
  const text = textOf(entry, 'text');
  const speaker = role === 'human' ? 'user' : role === 'bot' ? 'assistant' : role;
  const further = isObject(entry) && !isCall ? rest(entry, ...texts(entry, 'type', 'text')) : {};
  // A prompt is known by what the person said in it, whatever stands around it.
  const kept = speaker !== 'user' || type !== 'text';
  if (type === 'text' && plain && isBare(further)) {
    const key = keyOf(speaker, text);
    if (given.has(key)) return;
    if (kept) given.add(key);
  } else if (given.hasWhole(`${role} ${type} ${plain ? '' : compact(others)}`, id, entry, kept)) return;
  const extra = details({ message: others, execution_id: execution, entry: further });
  const place = { ...columns, ...COPY, source_pointer: pointer, problem: element.problem, details: extra };
  if (type === 'text' && role === 'human') {
    const identity = promptIdentity(execution) ?? repeatedIdentity(session, 'prompt');
    for (const row of promptRows(text, { ...place, origin: 'unknown', identity })) {
      const again = keyOf(row.row_type === 'prompt' ? 'user' : 'injected', row.text);
      if (!plain || !given.has(again)) yield row;
      given.add(again);
    }
  } else if (type === 'text' && role === 'bot') {
    const identity = answerIdentity(execution) ?? repeatedIdentity(session, 'assistant');
    yield { row_type: 'assistant', text, origin: isBoilerplate(text) ? 'automatic' : 'agent', ...place, identity };
  } else if (isObject(entry) && type === 'toolUse') yield useRow(entry, place, session);
  else if (isObject(entry) && type === 'toolUseResponse') yield responseRow(entry, place, session);
  else
    yield {
      row_type: 'context',
      text: text || compact(entry),
      origin: 'injected',
      ...place,
      identity: repeatedIdentity(session, 'context'),
      details: { ...extra, role, type },
    };
}

function useRow(entry: JsonObject, place: Partial<Draft>, session: string): Draft {
  const id = textOf(entry, 'id');
  return {
    row_type: 'tool_use',
    text: entry.args === undefined ? '' : compact(entry.args),
    origin: 'agent',
    tool_name: textOf(entry, 'name'),
    tool_use_id: id,
    ...place,
    identity: callIdentity('tool_use', id) ?? repeatedIdentity(session, 'tool_use'),
    details: details({ ...place.details, entry: rest(entry, ...texts(entry, 'type', 'id', 'name'), 'args') }),
  };
}

function responseRow(entry: JsonObject, place: Partial<Draft>, session: string): Draft {
  const id = textOf(entry, 'id');
  const { text, others } = contentOf(entry.message);
  const { success } = entry;
  return {
    row_type: 'tool_result',
    text,
    tool_name: textOf(entry, 'name'),
    tool_use_id: id,
    status: success === true ? 'completed' : success === false ? 'failed' : 'unknown',
    outcome: success === false ? 'fail' : 'ambiguous',
    ...place,
    identity: callIdentity('tool_result', id) ?? repeatedIdentity(session, 'tool_result'),
    details: details({ ...place.details, entry: rest(entry, ...texts(entry, 'type', 'id', 'name'), 'message'), content: others }),
    problem: problems(place.problem, id === '' && 'the result does not say which call it belongs to'),
  };
}

function wrongMessage({ pointer, value }: Element, columns: Columns): Draft {
  return { ...errorDraft('message is not an object'), source_pointer: pointer, details: { value }, ...columns };
}

const keyOf = (role: string, text: string) => `${role}\u0000${text}`;
