import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { CUT_LIST, NOT_COLLECTED, namesBeside, WHY_MISSING, WHY_UNLISTED } from '../beside.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { type Element, openDocument } from './document.js';
import { details, rest, textOf } from './fields.js';
import { type IdePlace, idePlace } from './place.js';
import { INDEX, listedRow } from './session-facts.js';
import { decodeWorkspace, folderProblem } from './workspace.js';

// workspace-sessions/<encoded workspace path>/sessions.json: the list of conversations the IDE shows for a workspace.
// It proves that a conversation existed, its title and when it was made, also when its file is gone. It is no proof of
// completeness: it and the files are written apart (kirodotdev/Kiro#5168, #9492), and `hidden` was set without a user's
// doing (#8316). Deletion is not recorded. Versions: 0.2 to 0.12. Evidence: L4.

export const kiroIdeSessionIndex: FileParser = { id: 'kiro-ide-session-index', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const document = yield* openDocument(source, {}, 'session index', {});
  if (document === undefined) return;
  if (document.kind === 'object') {
    yield { ...errorDraft('session index is not a list'), details: { index: document.head } };
    return;
  }
  const files = namesBeside(source, '.');
  const project = decodeWorkspace(place.encoded) ?? '';
  const seen = new Set<string>();
  let entries = 0;
  let whole = document.complete;
  for (const element of document.elements()) {
    if ('error' in element || !isObject(element.value)) whole = false;
    if ('error' in element) yield element.error;
    else if (!isObject(element.value)) {
      yield {
        ...errorDraft('session index: an entry is not an object'),
        source_pointer: element.pointer,
        details: { value: element.value },
      };
    } else {
      entries += 1;
      const id = textOf(element.value, 'sessionId');
      const row = entryRow(element.value, element, place, seen.has(id));
      yield row;
      if (files !== undefined && id !== '' && !seen.has(id) && !files.has(`${id}.json`.toLowerCase())) yield missingFile(row);
      seen.add(id);
    }
  }
  yield* wholeRows(entries, files === undefined, project);
  yield* unlisted(files, seen, whole, project);
}

function missingFile({ session_id = '', project_path = '', source_pointer = '' }: Draft): Draft {
  const text = `gap: session listed, its file is not there file=${session_id}.json`;
  return { row_type: 'gap', text, session_id, project_path, source_pointer, problem: WHY_MISSING };
}

const SESSION_FILE = /^[^.].*\.json$/;

/** Session files that the list does not name. */
function* unlisted(
  files: ReadonlySet<string> | undefined,
  seen: ReadonlySet<string>,
  whole: boolean,
  project_path: string,
): Generator<Draft> {
  const listed = new Set([...seen].map((id) => `${id}.json`.toLowerCase()));
  for (const file of files ?? []) {
    if (file === INDEX || !SESSION_FILE.test(file) || listed.has(file)) continue;
    yield {
      row_type: 'gap',
      text: `gap: session file not listed in ${INDEX} file=${file}`,
      session_id: file.replace(/\.json$/, ''),
      newRun: true,
      project_path,
      problem: problems(!whole && CUT_LIST, WHY_UNLISTED),
    };
  }
}

/** What is to be said of the list as a whole. */
function* wholeRows(entries: number, alone: boolean, project_path: string): Generator<Draft> {
  if (entries === 0) yield { row_type: 'gap', text: 'gap: session index lists no session', project_path };
  else if (alone) {
    const text = `gap: folder of the listed sessions was not collected sessions=${entries}`;
    yield { row_type: 'gap', text, newRun: true, project_path, problem: NOT_COLLECTED };
  }
}

/** The session file gives the same row when it is there. */
function entryRow(entry: JsonObject, { pointer, problem }: Element, place: IdePlace, again: boolean): Draft {
  const id = textOf(entry, 'sessionId');
  const decoded = place.encoded === '' ? undefined : decodeWorkspace(place.encoded);
  const recorded = textOf(entry, 'workspaceDirectory');
  const { time, text, identity } = listedRow(entry);
  return {
    row_type: 'session',
    text,
    time,
    newRun: true,
    session_id: id,
    project_path: recorded || decoded || '',
    source_pointer: pointer,
    identity: id === '' ? undefined : identity,
    rank: 1,
    problem: problems(
      problem,
      id === '' && 'the entry has no session id',
      id !== '' && again && 'the session is listed more than once',
      time === undefined && (entry.dateCreated === undefined ? 'no time of creation is recorded' : 'dateCreated is not a date'),
      entry.hidden !== undefined && typeof entry.hidden !== 'boolean' && 'hidden is neither true nor false',
      folderProblem(place.encoded, recorded),
    ),
    details: details(rest(entry, ...(time === undefined ? [] : ['dateCreated']))),
  };
}
