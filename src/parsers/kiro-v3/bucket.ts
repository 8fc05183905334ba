import { createHash } from 'node:crypto';

// The folder a session lies in is named by a hash of its workspace folders, so a path that was edited or a session that was
// moved shows. Engine 2.15.1 and 2.21.4, read by others in its bundle and seen on real installs.

const BUCKET = /^(?:_global|[0-9a-f]{16})$/;
const WINDOWS = /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/;

/** Name of the folder for these workspace folders. */
export function bucketOf(paths: readonly string[]): string {
  if (paths.length === 0) return '_global';
  return createHash('sha256').update(paths.map(normalise).sort().join('\0')).digest('hex').slice(0, 16);
}

/** `/` separators, no slash at the end, lower case on Windows only. */
function normalise(path: string): string {
  const windows = WINDOWS.test(path);
  const slashes = windows ? path.replaceAll('\\', '/').toLowerCase() : path;
  return slashes.length > 1 ? slashes.replace(/\/+$/, '') || '/' : slashes;
}

/** Empty when the folder agrees with the recorded paths, or is not one of the program's. */
export function bucketProblem(bucket: string, paths: readonly string[] | null | undefined): string {
  if (!paths || !BUCKET.test(bucket) || bucketOf(paths) === bucket) return '';
  return 'bucket does not match the recorded path';
}
