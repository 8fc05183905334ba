import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { OpenFile } from '../open.js';
import type { Archive } from './member.js';

const BLOCK = 1 << 20;

/** What every archive tells of the file it is in. */
export function fileOf(file: OpenFile): Pick<Archive, 'size' | 'sha256' | 'changed' | 'close'> {
  return {
    size: file.size,
    async sha256() {
      const hash = createHash('sha256');
      for await (const chunk of createReadStream('', { fd: file.fd, autoClose: false, start: 0, highWaterMark: BLOCK })) hash.update(chunk);
      return hash.digest('hex');
    },
    changed: () => file.changed(),
    close: () => file.close(),
  };
}
