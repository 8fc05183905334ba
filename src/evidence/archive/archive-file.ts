import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type OpenFile, readFully } from '../open.js';
import { type Archive, ArchiveFault } from './member.js';

const BLOCK = 1 << 20;

/** Bytes of a part of a file. A stream of Node would close the file when it is stopped early. */
export function* fileBlocks(file: OpenFile, from: number, length: number): Generator<Buffer> {
  for (let done = 0; done < length; ) {
    const block = readFully(file.fd, Buffer.allocUnsafeSlow(Math.min(BLOCK, length - done)), from + done);
    if (block.length === 0) throw new ArchiveFault('the archive became shorter while it was read');
    done += block.length;
    yield block;
  }
}

export function fileStream(file: OpenFile, from: number, length: number): Readable {
  return Readable.from(fileBlocks(file, from, length), { objectMode: false, highWaterMark: BLOCK });
}

/** What every archive tells of the file it is in. */
export function fileOf(file: OpenFile): Pick<Archive, 'size' | 'sha256' | 'changed' | 'close'> {
  return {
    size: file.size,
    async sha256() {
      const hash = createHash('sha256');
      for await (const block of fileStream(file, 0, file.size)) hash.update(block);
      return hash.digest('hex');
    },
    changed: () => file.changed(),
    close: () => file.close(),
  };
}
