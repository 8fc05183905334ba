import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { type Element, openDocument } from './document.js';
import { between, details, instantOf, rest, textOf, texts } from './fields.js';
import { executionIdentity, UNPAIRED } from './identity.js';
import { idePlace } from './place.js';

// kiro.kiroagent/<workspace id>/f62de366...: the list of executions of a workspace.
// It proves that an execution was started, when, of which kind, for which conversation, and how it ended, also when its log is gone:
// logs are evicted or deleted. It holds no words. `endTime` is 0 while one runs. Versions: 0.2 to 0.12. Evidence: L4, one sample.

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
  yield { row_type: 'config', text: `list of executions:${pairs({ executions: count })}`, details: members, problem: document.problem };
  for (const element of document.elements('executions')) {
    if ('error' in element) yield element.error;
    else if (isObject(element.value)) yield entryRow(element.value, element);
    else
      yield {
        ...errorDraft('list of executions: an entry is not an object'),
        source_pointer: element.pointer,
        details: { value: element.value },
      };
  }
}

/** The log gives the same row when it is there: a row that is no duplicate belongs to an execution without a log. */
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
    details: details({
      ...rest(entry, ...texts(entry, 'executionId', 'chatSessionId'), ...(start ? ['startTime'] : [])),
      execution_log: UNPAIRED,
    }),
  };
}
