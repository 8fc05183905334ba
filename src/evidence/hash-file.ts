import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK = 1 << 20;

/** Hash and size of a regular file. Throws what the system says; a link is not followed, a device or pipe is refused. */
export function hashFile(path: string): { readonly sha256: string; readonly size: number } {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw Object.assign(new Error('not a regular file'), { code: 'not a regular file' });
    const hash = createHash('sha256');
    const block = Buffer.allocUnsafe(BLOCK);
    let size = 0;
    for (let read = readSync(file, block, 0, BLOCK, null); read > 0; read = readSync(file, block, 0, BLOCK, null)) {
      hash.update(block.subarray(0, read));
      size += read;
    }
    return { sha256: hash.digest('hex'), size };
  } finally {
    closeSync(file);
  }
}
