import { openRegular, readFully } from './open.js';
import type { ByteSource } from './source.js';

/** A file read in small pieces at any place, without a window: for chains of pages that lead all over a database. */
export function openRandomSource(path: string | Buffer): ByteSource & { close(): void } {
  const file = openRegular(path);
  const { size } = file;
  let memory = Buffer.allocUnsafeSlow(1 << 16);
  return {
    size,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      if (memory.length < wanted) memory = Buffer.allocUnsafeSlow(wanted);
      return readFully(file.fd, memory.subarray(0, wanted), offset);
    },
    close: () => file.close(),
  };
}
