import { isObject } from '../../evidence/json.js';
import type { Instant } from '../../rows/time.js';
import type { Document } from './document.js';
import { instantOf, objectOf, textOf } from './fields.js';
import { pathsIn } from './paths.js';
import { WorkspaceFinder } from './workspace.js';

/** What rows need to know of actions that stand further down. */
export interface ExecutionSurvey {
  /** Workspace path: named by the log, or a path in it that has the hash of the folder. */
  readonly project: string;
  /** Session named by the actions, for a log that does not name it itself. */
  readonly session: string;
  /** The latest time of an action. */
  readonly last: Instant | undefined;
  /** Ids of the actions. */
  readonly ids: ReadonlySet<string>;
  /** What the assistant said in them. */
  readonly answers: readonly string[];
}

export function surveyExecution(document: Document, workspaceId: string): ExecutionSurvey {
  const named = textOf(objectOf(document.head, 'workspaceContext'), 'cwd');
  const finder = new WorkspaceFinder(workspaceId);
  if (named !== '') finder.offer(named);
  const ids = new Set<string>();
  const answers: string[] = [];
  let session = '';
  let last: Instant | undefined;
  for (const element of document.elements('actions')) {
    if ('error' in element || !isObject(element.value)) continue;
    session ||= textOf(element.value, 'chatSessionId');
    const id = textOf(element.value, 'actionId');
    if (id !== '') ids.add(id);
    const said = textOf(element.value.output, 'message');
    if (said !== '') answers.push(said);
    const time = instantOf(element.value.emittedAt, 'message');
    if (time !== undefined && (last === undefined || time.ms > last.ms)) last = time;
    if (finder.open) for (const path of pathsIn(element.value.input)) finder.offer(path);
  }
  for (const list of [['context', 'messages'], ['context'], ['messagesFromExecutionId'], ['input', 'data', 'messages']]) {
    if (!finder.open) break;
    for (const element of document.elements(...list)) {
      if (!finder.open) break;
      if (!('error' in element)) for (const path of pathsIn(element.value)) finder.offer(path);
    }
  }
  return { project: finder.found || named, session, last, ids, answers };
}
