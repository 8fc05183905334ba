import { readSync } from 'node:fs';
import { TooLargeError } from './source.js';

const LIMIT = 1 << 30;
const STDIN = 0;

/** All of standard input: one saved export, or another single store recognised by content. At most 1 GiB. */
export function readStdin(paths: readonly string[]): Buffer {
  if (paths.length > 1) throw new TooLargeError('standard input stands alone: no other path can be read with it');
  const blocks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const block = Buffer.allocUnsafe(1 << 20);
    const count = readBlock(block);
    if (count === 0) return Buffer.concat(blocks, size);
    blocks.push(block.subarray(0, count));
    size += count;
    if (size > LIMIT) throw new TooLargeError(`standard input is larger than ${LIMIT} bytes; give a file instead`);
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function readBlock(into: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, into, 0, into.length, null);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
