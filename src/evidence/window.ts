import { type ByteSource, TooLargeError } from './source.js';

const WINDOW = 4 << 20;
/** No single request may ask for more; what is larger has to be read in parts. */
const REQUEST_LIMIT = 512 << 20;

/**
 * Random access through one window of 4 MiB, which is filled anew whenever a request leaves it. A larger request
 * gets a buffer of its own size, for as long as it is the latest one.
 */
export function windowReader(fill: (into: Buffer, position: number) => Buffer, size: number): ByteSource {
  let memory: Buffer | undefined;
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  return {
    size,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      if (wanted > REQUEST_LIMIT) throw new TooLargeError(`${wanted} bytes at offset ${offset} are too many to be held at once`);
      if (offset < start || offset + wanted > start + held.length) {
        if (wanted > WINDOW) held = fill(Buffer.allocUnsafeSlow(wanted), offset);
        else {
          memory ??= Buffer.allocUnsafeSlow(WINDOW);
          held = fill(memory.subarray(0, Math.min(WINDOW, size - offset)), offset);
        }
        start = offset;
      }
      return held.subarray(offset - start, offset - start + wanted);
    },
  };
}
