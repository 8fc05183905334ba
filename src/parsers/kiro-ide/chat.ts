import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { ChatMessages } from './chat-messages.js';
import { type Document, openDocument } from './document.js';
import { between, details, instantOf, objectOf, rest, textOf, texts } from './fields.js';
import { contextItemRow } from './message-rows.js';
import { pathsIn } from './paths.js';
import { idePlace } from './place.js';
import { WorkspaceFinder } from './workspace.js';

// kiro.kiroagent/<workspace id>/*.chat: what the model was sent, saved at each step of an execution by the first builds of the IDE.
// It proves prompts, answers and tool results in order, the model, and when the execution began and ended. Only these two times
// are known: messages have none. Each file repeats the one before and goes on, so that a conversation stands in many files; the
// longest is the primary one. Calls stand as text inside answers and have no ids. The first message is the program's own.
// Versions: 0.1 to 0.9. Evidence: L4. kenn-io/agentsview#278, obodnikov/claude-chat-manager; place: kirodotdev/Kiro#5143.

export const kiroIdeChat: FileParser = {
  id: 'kiro-ide-chat',
  container: 'file',
  echo: 'migrated',
  detect: (head) => {
    const text = head.toString('utf8');
    return (
      /^\ufeff?\s*\{\s*"executionId"\s*:\s*"[^"]{1,80}"\s*,\s*"actionId"/.test(text) && /"(?:context|validations|chat)"\s*:/.test(text)
    );
  },
  parse,
};

const WANTED = { chat: {}, context: {} };
/** More messages than this do not make a file a better copy. */
const MOST = 240;

function* parse(source: FileSource): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const document = yield* openDocument(source, WANTED, 'chat file', {});
  if (document === undefined) return;
  if (document.kind !== 'object') {
    yield errorDraft('chat file is not a JSON object');
    return;
  }
  const { head } = document;
  const metadata = objectOf(head, 'metadata') ?? {};
  const execution = textOf(head, 'executionId');
  const project = workspacePath(document, place.workspaceId);
  const start = instantOf(metadata.startTime, 'record');
  const end = instantOf(metadata.endTime, 'completed_at');
  const columns = { session_id: textOf(metadata, 'workflowId') || execution, project_path: project };
  const count = document.lengthOf('chat');
  const workflow = textOf(metadata, 'workflow');
  yield {
    row_type: 'session',
    text: `session: chat file${pairs({ workflow, action: textOf(head, 'actionId'), execution })}`,
    time: start,
    ...columns,
    problem: problems(
      document.problem,
      start === undefined && 'no start is recorded',
      project === '' && place.workspaceId !== '' && 'no path in the file hashes to the workspace id',
      document.kindOf('chat') !== 'array' && 'the file holds no list of messages',
    ),
    details: details({
      ...rest(head, ...(objectOf(head, 'metadata') ? ['metadata'] : []), 'chat', 'context'),
      ...(objectOf(head, 'metadata')
        ? { metadata: rest(metadata, ...(start ? ['startTime'] : []), ...(end ? ['endTime'] : []), ...texts(metadata, 'modelId')) }
        : {}),
      ...(document.kindOf('chat') === 'array' ? {} : { chat: head.chat }),
      context: head.context,
      workspace_id: place.workspaceId,
      messages: count,
    }),
  };
  const model = textOf(metadata, 'modelId');
  if (model !== '')
    yield {
      row_type: 'model',
      text: `model: ${model} source=metadata`,
      time: start,
      model,
      source_pointer: '/metadata/modelId',
      ...columns,
    };
  for (const element of document.elements('context')) {
    if ('error' in element) yield { ...element.error, ...columns };
    else
      yield {
        ...contextItemRow(element.value, element.pointer),
        ...columns,
        identity: `kiro-ide\u0000chat\u0000${execution}\u0000context\u0000${element.key}`,
      };
  }
  // Snapshots of one execution: the one with more messages ranks first.
  const rank = Math.max(10, 250 - Math.min(count, MOST));
  yield* messageRows(document, new ChatMessages({ ...columns, rank }, execution, windowOf(start?.original, end?.original)));
  if (end !== undefined)
    yield {
      row_type: 'session',
      text: `session: end of the execution${pairs({ execution })}`,
      time: end,
      duration_ms: between(start, end),
      source_pointer: '/metadata/endTime',
      ...columns,
    };
}

function* messageRows(document: Document, messages: ChatMessages): Generator<Draft> {
  for (const element of document.elements('chat')) {
    if ('error' in element) yield { ...element.error, ...messages.columns };
    else if (!isObject(element.value)) {
      yield {
        ...errorDraft('chat message is not an object'),
        source_pointer: element.pointer,
        details: { value: element.value },
        ...messages.columns,
      };
    } else yield* messages.rows(element.value, element);
  }
}

function windowOf(from: string | undefined, to: string | undefined): JsonObject {
  return from === undefined && to === undefined ? {} : { window: { from: from ?? null, to: to ?? null } };
}

/** The workspace is known by its hash only; a path that the file names, or a folder above one, may have that hash. */
function workspacePath(document: Document, id: string): string {
  const finder = new WorkspaceFinder(id);
  for (const list of ['context', 'chat']) {
    for (const element of document.elements(list)) {
      if (!finder.open) return finder.found;
      if (!('error' in element)) for (const path of pathsIn(element.value)) finder.offer(path);
    }
  }
  return finder.found;
}
