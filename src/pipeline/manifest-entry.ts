import type { Artifact } from '../evidence/source.js';
import { toUtcText } from '../rows/time.js';
import type { ManifestInput } from './manifest.js';

/** Entry of an artifact in the manifest, before it is read. */
export function entryOf(artifact: Artifact, store: string): ManifestInput {
  return {
    path: artifact.file,
    store,
    agent: artifact.agent,
    user: artifact.user,
    size: artifact.size,
    mtime_utc: artifact.mtime === undefined ? '' : toUtcText(artifact.mtime.ms),
    sha256: '',
    sidecars: [],
    status: 'parsed',
    rows: 0,
    tables: {},
    problems: [],
  };
}
