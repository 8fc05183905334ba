import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { excerpt } from '../../rows/problem.js';
import type { Companions, FileParser } from '../parser.js';
import { sessionPlace } from './place.js';

// sessions/<bucket>/<id>/snapshots/<8 hex digits>/<path>: copies of files as they were before and after the agent changed them.
// They prove that a file of that content was there; of a deleted file the copy may be the only one left. The time is that of
// the copy. The log names a snapshot by the ids before and after a call. The content, which may be a secret whole, is never
// carried: path, size and SHA-256 are. Beside the copies lies `.hash`, the SHA-256 the program took itself.
// They cannot show who changed the file. Versions: 2.15.1, IDE 1.x. Evidence: L4, read by others; folder shape from a real install.

const HASH = '.hash';
const SHA256 = /^[0-9a-f]{64}$/i;

export const kiroV3Snapshot: FileParser = {
  id: 'kiro-v3-snapshot',
  container: 'file',
  companions: (name) => (name === HASH ? [] : [HASH]),
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const { session, below } = sessionPlace(source.artifact.file);
  const [, snapshot = '', ...path] = below;
  const shared = { row_type: 'file', time: source.artifact.mtime, session_id: session } as const;
  if (path.length === 1 && path[0] === HASH) {
    const hash = hashIn(source);
    const shown = hash || excerpt(source.read(0, 200));
    const problem = SHA256.test(hash) ? '' : 'not the SHA-256 of a file';
    yield { ...shared, text: `file: hash of snapshot=${snapshot} sha256=${shown}`, problem, details: { snapshot, sha256: shown } };
    return;
  }
  const copied = path.join('/');
  const noted = companions.has(HASH) && path.length === 1 ? hashIn(companions.get(HASH)) : '';
  const differs = SHA256.test(noted) && noted.toLowerCase() !== source.sha256;
  yield {
    ...shared,
    text: `file: snapshot=${snapshot} size=${source.size} sha256=${source.sha256} path=${copied}`,
    file_paths: [copied],
    problem: differs ? 'the content is not the one whose hash lies beside it' : '',
    details: { snapshot, path: copied, size: source.size, sha256: source.sha256, ...(noted === '' ? {} : { noted_sha256: noted }) },
  };
}

function hashIn(source: FileSource | undefined): string {
  const text = source?.read(0, 200).toString('utf8').trim() ?? '';
  return SHA256.test(text) ? text : '';
}
