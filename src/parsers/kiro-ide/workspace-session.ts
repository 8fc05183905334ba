import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, problems } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { quietJson } from '../whole-file.js';
import { autonomyRow } from './autonomy.js';
import { type Document, type Element, openDocument } from './document.js';
import { details, objectOf, rest, textOf } from './fields.js';
import { historyRows } from './history-rows.js';
import { idePlace } from './place.js';
import { INDEX, indexEntry, listedRow } from './session-facts.js';
import { decodeWorkspace, folderProblem } from './workspace.js';

// workspace-sessions/<encoded workspace path>/<id>.json: a conversation of the Kiro IDE up to 0.12, as its window showed it.
// It proves what was typed and attached, in order, the workspace, and the model and mode as last chosen. It cannot show when: no
// message has a time. Answers are mostly the placeholder "On it."; the execution logs hold them (kirodotdev/Kiro#506). The file
// is written anew at each change, entries have vanished from it (#8316), and the index beside it may not list it (#5168).
// Versions: 0.2 to 0.12. Evidence: L4. Fields agreed on by the readers getagentseal/codeburn and obodnikov/claude-chat-manager.

export const kiroIdeWorkspaceSession: FileParser = {
  id: 'kiro-ide-workspace-session',
  container: 'file',
  echo: 'migrated',
  companions: (name) => [INDEX, `._migration-${name}`],
  detect: (head) => /^\ufeff?\s*\{\s*"sessionId"\s*:\s*"[^"]{8,64}"/.test(head.toString('utf8', 0, 200)) && head.includes('"history"'),
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const stem = place.name.replace(/\.json$/i, '');
  const document = yield* openDocument(source, { history: {} }, 'workspace session', { session_id: place.inStore ? stem : '' });
  if (document === undefined) return;
  if (document.kind !== 'object') {
    yield errorDraft('workspace session is not a JSON object');
    return;
  }
  const { head } = document;
  const id = textOf(head, 'sessionId') || stem;
  const decoded = place.encoded === '' ? undefined : decodeWorkspace(place.encoded);
  const recorded = textOf(head, 'workspaceDirectory') || textOf(head, 'workspacePath');
  const project = recorded || decoded || '';
  const columns = { session_id: id, project_path: project };
  const entry = indexEntry(companions, id);
  const marker = quietJson(companions.get(`._migration-${place.name}`));
  // The file holds no time at all; the index beside it has that of the beginning.
  if (entry !== undefined) yield { row_type: 'session', ...listedRow(entry), ...columns, details: { told_by: INDEX } };
  yield {
    row_type: 'session',
    text: `session: workspace session${pairs({ type: head.sessionType, active: head.active })}${titleOf(head)}`,
    ...columns,
    problem: problems(
      document.problem,
      place.inStore && textOf(head, 'sessionId') !== '' && id !== stem && 'the id is not the name of the file',
      folderProblem(place.encoded, recorded),
    ),
    details: details({
      ...rest(head, 'selectedModel'),
      migrated_to: textOf(marker, 'v2SessionId'),
      history: document.kindOf('history') === 'array' ? undefined : (head.history ?? 'missing'),
    }),
  };
  const model = head.selectedModel;
  if (typeof model === 'string' && model !== '') {
    yield { row_type: 'model', text: `model: ${model} source=selectedModel`, model, source_pointer: '/selectedModel', ...columns };
  } else if (model !== undefined && model !== null && model !== '') {
    yield {
      row_type: 'model',
      text: 'model: ',
      problem: 'the model is not a text',
      details: { selectedModel: model },
      source_pointer: '/selectedModel',
      ...columns,
    };
  }
  if (head.autonomyMode) yield { ...autonomyRow(head.autonomyMode, 'session file, as last written'), ...columns };
  yield* entries(document, columns);
}

function titleOf(head: JsonObject): string {
  const title = textOf(head, 'title');
  return title === '' ? '' : `: ${title}`;
}

/** A prompt bears no execution: it belongs to the one of the answer behind it. Two entries are held at a time. */
function* entries(document: Document, columns: { session_id: string; project_path: string }): Generator<Draft> {
  let waiting: (Element & { readonly item: JsonObject }) | undefined;
  const rowsOf = function* (element: Element & { readonly item: JsonObject }, execution: string): Generator<Draft> {
    const { item, key, pointer, problem } = element;
    yield* historyRows({ item, index: Number(key) || 0, pointer, problem, execution, columns });
  };
  for (const element of document.elements('history')) {
    if ('error' in element || !isObject(element.value)) {
      if (waiting) yield* rowsOf(waiting, textOf(waiting.item, 'executionId'));
      waiting = undefined;
      if ('error' in element) yield { ...element.error, ...columns };
      else
        yield {
          ...errorDraft('history entry is not an object'),
          source_pointer: element.pointer,
          details: { value: element.value },
          ...columns,
        };
      continue;
    }
    const item = element.value;
    const own = textOf(item, 'executionId');
    if (waiting) yield* rowsOf(waiting, textOf(waiting.item, 'executionId') || (roleOf(item) === 'user' ? '' : own));
    waiting = undefined;
    if (roleOf(item) === 'user') waiting = { ...element, item };
    else yield* rowsOf({ ...element, item }, own);
  }
  if (waiting) yield* rowsOf(waiting, textOf(waiting.item, 'executionId'));
}

const roleOf = (item: JsonObject) => textOf(objectOf(item, 'message'), 'role');
