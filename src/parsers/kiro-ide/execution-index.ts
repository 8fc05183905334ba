import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { CUT_LIST, NOT_COLLECTED, namesBeside, WHY_MISSING, WHY_UNLISTED } from '../beside.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { type Element, openDocument } from './document.js';
import { between, details, instantOf, rest, textOf, texts } from './fields.js';
import { executionIdentity } from './identity.js';
import { idePlace } from './place.js';
import { hash32, SAVES } from './workspace.js';

// kiro.kiroagent/<workspace id>/f62de366...: the list of executions of a workspace.
// It proves that an execution was started, when, of which kind, for which conversation, and how it ended, also when its log is gone:
// logs are evicted or deleted. A log is named by a hash of its execution's id, so that each can be looked for. It holds no words. `endTime` is 0 while one runs. Versions: 0.2 to 0.12. Evidence: L4, one sample.

export const kiroIdeExecutionIndex: FileParser = {
  id: 'kiro-ide-execution-index',
  container: 'file',
  detect: (head) => /^\ufeff?\s*\{\s*"version"\s*:\s*"[\d.]{1,12}"\s*,\s*"executions"\s*:\s*\[/.test(head.toString('utf8', 0, 200)),
  parse,
};

function* parse(source: FileSource): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const document = yield* openDocument(source, { executions: {} }, 'list of executions', {});
  if (document === undefined) return;
  if (document.kind !== 'object' || document.kindOf('executions') !== 'array') {
    yield { ...errorDraft('list of executions holds no list'), details: { value: document.head } };
    return;
  }
  const members = details({ ...rest(document.head), workspace_id: place.workspaceId });
  const count = document.lengthOf('executions');
  const logs = namesBeside(source, SAVES);
  const listed = new Set<string>();
  let whole = document.complete;
  yield { row_type: 'config', text: `list of executions:${pairs({ executions: count })}`, details: members, problem: document.problem };
  for (const element of document.elements('executions')) {
    if ('error' in element || !isObject(element.value)) whole = false;
    if ('error' in element) yield element.error;
    else if (isObject(element.value)) {
      const row = entryRow(element.value, element);
      yield row;
      const id = textOf(element.value, 'executionId');
      const log = hash32(id);
      if (id !== '' && logs !== undefined && !logs.has(log) && !listed.has(log)) yield missingLog(row, id, log);
      listed.add(log);
    } else
      yield {
        ...errorDraft('list of executions: an entry is not an object'),
        source_pointer: element.pointer,
        details: { value: element.value },
      };
  }
  yield* unlisted(logs, listed, whole, details({ workspace_id: place.workspaceId }));
}

function missingLog({ session_id = '', source_pointer = '' }: Draft, execution: string, log: string): Draft {
  const problem = `evicted by the program, ${WHY_MISSING}; a copy under another name is not found by this`;
  return {
    row_type: 'gap',
    text: `gap: execution listed without log${pairs({ execution, file: log })}`,
    session_id,
    source_pointer,
    problem,
  };
}

const LOG_NAME = /^[0-9a-f]{32}$/;

/** Logs that the list does not name; or that it could not be told. */
function* unlisted(
  logs: ReadonlySet<string> | undefined,
  listed: ReadonlySet<string>,
  whole: boolean,
  details: JsonObject,
): Generator<Draft> {
  if (logs === undefined && listed.size > 0) {
    const text = `gap: folder of the execution logs was not collected executions=${listed.size}`;
    yield { row_type: 'gap', text, newRun: true, problem: `${NOT_COLLECTED}, or it was removed`, details };
  }
  for (const file of logs ?? []) {
    if (!LOG_NAME.test(file) || listed.has(file)) continue;
    yield {
      row_type: 'gap',
      text: `gap: execution log not listed file=${file}`,
      newRun: true,
      problem: problems(!whole && CUT_LIST, WHY_UNLISTED),
      details,
    };
  }
}

/** The log gives the same row when it is there. */
function entryRow(entry: JsonObject, { pointer, problem }: Element): Draft {
  const id = textOf(entry, 'executionId');
  const start = instantOf(entry.startTime, 'request_start');
  const end = instantOf(entry.endTime, 'completed_at');
  return {
    row_type: 'session',
    text: `session: execution started${pairs({ execution: id, workflow: textOf(entry, 'type') })}`,
    time: start,
    newRun: true,
    duration_ms: between(start, end),
    session_id: textOf(entry, 'chatSessionId'),
    source_pointer: pointer,
    identity: executionIdentity(id),
    rank: 1,
    problem: problems(problem, id === '' && 'the entry names no execution', start === undefined && 'no usable start is recorded'),
    details: details(rest(entry, ...texts(entry, 'executionId', 'chatSessionId'), ...(start ? ['startTime'] : []))),
  };
}
