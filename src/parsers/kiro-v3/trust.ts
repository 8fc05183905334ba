import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { problems, readObject, storeColumns } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { bucketProblem } from './bucket.js';
import { textOf } from './schema.js';

// .kiro/workspace-roots/<hash>/.trust-migration.json, also directly in .kiro: a workspace whose trust was taken over from an
// earlier version. It proves that the folder was a workspace of this user, and gives the path behind its hash. It cannot show
// when it was trusted, or by whom; workspaces made after the migration have no such file. Only `root` is known of its fields.
// Versions: unknown. Evidence: L4, read by others.

export const kiroTrust: FileParser = { id: 'kiro-trust', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'workspace trust');
  if (!stored) return;
  const root = textOf(stored, 'root');
  const hash = source.artifact.file.split('/').at(-2) ?? '';
  yield {
    row_type: 'config',
    text: `workspace trusted: root=${root}`,
    ...storeColumns(source.artifact),
    project_path: root,
    problem: problems(root === '' ? 'no root is named' : bucketProblem(hash, [root]), 'the meaning of this file is not documented'),
    details: stored,
  };
}
