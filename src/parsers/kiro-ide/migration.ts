import { sha256Of } from '../../evidence/sha256.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems, readObject } from '../json-store.js';
import { withColumns } from '../kiro-v3/with-columns.js';
import type { FileParser } from '../parser.js';
import { instantOf, textOf } from './fields.js';
import { idePlace } from './place.js';
import { decodeWorkspace } from './workspace.js';

// workspace-sessions/<encoded workspace path>/._migration-<id>.json: a conversation was taken over into `.kiro/sessions` by 1.x.
// It proves when that was done, and names the session on both sides. The old file stays where it was. Most conversations are
// never migrated. Versions: 1.0.337. Evidence: L4, one sample.

export const kiroIdeMigration: FileParser = { id: 'kiro-ide-migration', container: 'file', echo: 'marker', parse };

function* parse(source: FileSource): Generator<Draft> {
  const place = idePlace(source.artifact.file);
  const session_id = /^\._migration-(.+)\.json$/i.exec(place.name)?.[1] ?? '';
  const decoded = decodeWorkspace(place.encoded) ?? '';
  const stored = yield* withColumns(readObject(source, 'migration marker'), { session_id, project_path: decoded, time: undefined });
  if (stored === undefined) return;
  const project = textOf(stored, 'v1WorkspaceDirectory');
  const target = textOf(stored, 'v2SessionId');
  const hash = textOf(stored, 'workspaceHash');
  const time = instantOf(stored.migratedAt, 'record');
  const computed = sha256Of(project).slice(0, 16);
  yield {
    row_type: 'session',
    text: `session: migrated to v2${pairs({ session: target })}`,
    time,
    session_id,
    project_path: project || decoded,
    problem: problems(
      time === undefined && 'no usable time of migration is recorded',
      target === '' && 'the new session is not named',
      hash !== '' && project !== '' && computed !== hash && 'the workspace hash does not match the recorded path',
    ),
    ...(target === '' ? {} : { sameSession: target }),
    details: stored,
  };
}
