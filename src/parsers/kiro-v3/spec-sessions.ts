import { compact } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { readObject, storeColumns } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { SessionFolders } from './session-folders.js';

// .kiro/spec-sessions/<bucket>.json: the session of each spec of a workspace.
// It proves that a spec was worked on in that session. It cannot show when: the time is that of the file.
// Versions: 2.15.1 and later. Evidence: L4, one public reader.

export const kiroSpecSessions: FileParser = { id: 'kiro-spec-sessions', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'list of spec sessions');
  const folders = new SessionFolders(source);
  for (const [spec, session] of Object.entries(stored ?? {})) {
    const known = typeof session === 'string';
    folders.list(known ? session : '', { source_pointer: step('', spec) });
    yield {
      row_type: 'session',
      text: `session: spec=${spec} session=${compact(session)}`,
      session_id: known ? session : '',
      source_pointer: step('', spec),
      ...storeColumns(source.artifact),
      problem: known ? '' : 'the session is not named by a text',
      details: { spec, ...(known ? {} : { value: session }) },
    };
  }
  // Only few sessions work on a spec: one that is not named here is nothing strange.
  yield* folders.mismatches(false);
}
