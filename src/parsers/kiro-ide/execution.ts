import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import type { Instant } from '../../rows/time.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import type { Execution } from './action.js';
import { actionRows } from './action-rows.js';
import { autonomyRow } from './autonomy.js';
import { type Document, openDocument } from './document.js';
import { Earlier } from './earlier.js';
import { earlierRows } from './earlier-rows.js';
import { between, details, instantOf, objectOf, rest, textOf, texts } from './fields.js';
import { executionIdentity, promptIdentity } from './identity.js';
import { contextItemRow, promptRows } from './message-rows.js';
import { type IdePlace, idePlace } from './place.js';
import { surveyExecution } from './survey.js';
import { usageRows } from './usage-rows.js';
import { hash32, idProblem } from './workspace.js';

// kiro.kiroagent/<workspace id>/414d1636.../<hash of the execution id>: what one request to the Kiro IDE up to 0.12 led to. No ending.
// It proves the prompt, each action with its arguments, state and time, answers, the exit code of commands, whole texts before and
// after edits, and credits. `emittedAt` is when an action was given out; only some say when they ended. It cannot show which
// questions a person answered but by the state of an edit. Each log repeats the conversation before it, in one of three places by
// build. Logs are evicted; a stopped execution gets its `endTime` at teardown, which can be hours late.
// Versions: 0.2 to 0.12 (seen 0.6.32, kirodotdev/Kiro#4165). Evidence: L4. getagentseal/codeburn, obodnikov/claude-chat-manager,
// makoMakoGo/tokscale; formulas of names read in the extension bundle by others.

const WANTED = {
  actions: {},
  context: { messages: {} },
  messagesFromExecutionId: {},
  input: { data: { messages: {}, messagesFromExecutionId: {} } },
  usageSummary: {},
};

export const kiroIdeExecution: FileParser = {
  id: 'kiro-ide-execution',
  container: 'file',
  echo: 'migrated',
  detect: (head) => {
    const text = head.toString('utf8');
    return (
      /^\ufeff?\s*\{\s*"(?:executionId|chatSessionId|workflowType)"\s*:/.test(text) &&
      /"(?:workflowType|chatSessionId)"\s*:/.test(text) &&
      /"executionId"\s*:/.test(text)
    );
  },
  parse,
};

function* parse(source: FileSource): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const document = yield* openDocument(source, WANTED, 'execution log', {});
  if (document === undefined) return;
  if (document.kind !== 'object') {
    yield errorDraft('execution log is not a JSON object');
    return;
  }
  const { head } = document;
  const id = textOf(head, 'executionId');
  const survey = surveyExecution(document, place.workspaceId);
  const model = modelOf(head);
  const columns = { session_id: textOf(head, 'chatSessionId') || survey.session, project_path: survey.project, model };
  const start = instantOf(head.startTime, 'request_start');
  const execution = { id, columns, autonomy: head.autonomyMode, earlier: new Earlier(document, columns.session_id, id, survey) };
  yield startRow(document, start, columns, place);
  if (model !== '')
    yield {
      row_type: 'model',
      text: `model: ${model} source=execution log`,
      time: start,
      ...columns,
      identity: executionIdentity(id, 'model'),
    };
  if (head.autonomyMode)
    yield { ...autonomyRow(head.autonomyMode, 'execution log'), time: start, ...columns, identity: executionIdentity(id, 'autonomy') };
  yield* earlierRows(execution.earlier, columns, id);
  yield* ownPrompt(document, execution, start);
  if (document.kindOf('context') === 'array') {
    for (const item of document.elements('context')) {
      yield 'error' in item ? { ...item.error, ...columns } : { ...contextItemRow(item.value, item.pointer), ...columns };
    }
  }
  for (const action of document.elements('actions')) {
    if ('error' in action) yield { ...action.error, ...columns };
    else if (isObject(action.value)) yield* actionRows(action.value, action, execution);
    else yield { ...errorDraft('action is not an object'), source_pointer: action.pointer, details: { value: action.value }, ...columns };
  }
  yield* execution.earlier.unanswered(columns);
  const end = endOf(head, survey.last);
  yield* endRows(head, start, end, columns, id);
  yield* usageRows(document, end.time, columns, id);
}

function startRow(document: Document, start: Instant | undefined, columns: Partial<Draft>, place: IdePlace): Draft {
  const { head } = document;
  const id = textOf(head, 'executionId');
  const workflow = textOf(head, 'workflowType');
  return {
    row_type: 'session',
    text: `session: execution started${pairs({ execution: id, workflow })}`,
    time: start,
    ...columns,
    identity: executionIdentity(id),
    problem: problems(
      document.problem,
      id === '' && 'the log names no execution',
      start === undefined && 'no usable start is recorded',
      // Files of other names are read too; a name that looks like the program's own has to agree.
      /^[0-9a-f]{32}$/.test(place.name) && id !== '' && hash32(id) !== place.name && 'the file is not named after its execution',
      columns.project_path === '' && place.workspaceId !== '' && 'no path in the log hashes to the workspace id',
      idProblem(place.workspaceId, columns.project_path ?? ''),
      document.kindOf('actions') === undefined && 'the log holds no list of actions',
    ),
    details: details({
      ...rest(
        head,
        ...(start ? ['startTime'] : []),
        ...texts(head, 'executionId'),
        'endTime',
        'modelId',
        'model',
        'usageSummary',
        'context',
        'input',
      ),
      usageSummary: document.kindOf('usageSummary') === 'array' ? undefined : head.usageSummary,
      // A list of context items gives rows of its own.
      context: document.kindOf('context') === 'array' ? undefined : membersOf(document, 'context'),
      input: membersOf(document, 'input'),
      data: document.kindOf('input', 'data') === undefined ? undefined : membersOf(document, 'input', 'data'),
      ...modelDetails(head),
      workspace_id: place.workspaceId,
    }),
  };
}

/** A member as it is stored, without the lists in it that rows are made of. */
function membersOf(document: Document, ...path: string[]): unknown {
  const kind = document.kindOf(...path);
  if (kind !== 'object' && kind !== 'array') return path.length === 1 ? document.head[path[0] ?? ''] : undefined;
  const members = [...document.elements(...path)].flatMap((element) => ('error' in element ? [] : [element]));
  if (kind === 'array') return members.map((element) => element.value);
  return rest(Object.fromEntries(members.map((element) => [String(element.key), element.value])));
}

function modelOf(head: JsonObject): string {
  return textOf(head, 'modelId') || textOf(head, 'model') || textOf(objectOf(head, 'modelId') ?? objectOf(head, 'model'), 'id');
}

const modelDetails = (head: JsonObject): JsonObject => ({
  ...(typeof head.modelId === 'string' ? {} : { modelId: head.modelId }),
  ...(typeof head.model === 'string' && textOf(head, 'modelId') === '' ? {} : { model: head.model }),
});

/** The prompt that the execution answers; its time is the start of the execution it set off. */
function* ownPrompt(document: Document, { id, columns, earlier }: Execution, time: Instant | undefined): Generator<Draft> {
  const { own } = earlier;
  const userPrompt = [...document.elements('input', 'data')].find((element) => !('error' in element) && element.key === 'userPrompt');
  const typed = userPrompt !== undefined && !('error' in userPrompt) && typeof userPrompt.value === 'string' ? userPrompt.value : '';
  const origin = textOf(document.head, 'workflowType') === 'chat-agent' ? 'typed' : 'unknown';
  const problem = origin === 'typed' ? '' : 'a workflow of the program: it may repeat the prompt of the chat execution before it';
  const shared = { time, ...columns, problem, identity: promptIdentity(id), details: { execution_id: id } };
  if (own !== undefined)
    yield* promptRows(own.text, { ...shared, origin, source_pointer: own.pointer, details: details({ execution_id: id, ...own.details }) });
  if (typed !== '' && (own === undefined || own.text !== typed)) {
    yield* promptRows(typed, { ...shared, origin, source_pointer: '/input/data/userPrompt' });
  }
}

interface End {
  readonly time: Instant | undefined;
  readonly problem: string;
}

/** A stopped execution gets its end at teardown: its last action is then nearer to the truth. */
function endOf(head: JsonObject, last: Instant | undefined): End {
  const recorded = instantOf(head.endTime, 'completed_at');
  const stopped = /abort|cancel/i.test(textOf(head, 'status'));
  if (stopped && last !== undefined && recorded !== undefined && recorded.ms > last.ms) {
    return { time: last, problem: 'stopped: the recorded end is that of the teardown, the time is that of the last action' };
  }
  return { time: recorded, problem: recorded === undefined ? 'no end is recorded' : '' };
}

function* endRows(head: JsonObject, start: Instant | undefined, end: End, columns: Partial<Draft>, execution: string): Generator<Draft> {
  const status = textOf(head, 'status');
  const result = objectOf(head, 'result');
  if (status === '' && head.endTime === undefined && result === undefined) return;
  yield {
    row_type: 'session',
    text: `session: execution ended${pairs({ execution, status: status || textOf(result, 'status') })}`,
    time: end.time,
    duration_ms: end.problem === '' ? between(start, end.time) : null,
    source_pointer: '/endTime',
    ...columns,
    identity: executionIdentity(execution, 'end'),
    problem: end.problem,
    details: details({ status: head.status, endTime: head.endTime }),
  };
}
