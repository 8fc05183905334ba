import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const BUFFER = 1024 * 1024;

/** Encoded lines, each ended by a line feed, appended to a private file and read back in blocks. */
export class RunFile {
  private readonly path: string;
  private readonly descriptor: number;
  private buffer: Buffer = Buffer.alloc(0);
  private filled = 0;
  private flushed = 0;

  /** `existing`: written by another thread, here only to be read. */
  constructor(folder: string, name: string, existing = false) {
    this.path = join(folder, name);
    this.descriptor = openSync(this.path, existing ? 'r' : 'wx+', 0o600);
  }

  /** Appends a line and tells where it lies (bytes; the length counts the line feed). */
  append(line: string): { offset: number; length: number } {
    const most = line.length * 3 + 1;
    if (this.filled + most > this.buffer.length) this.flush(most);
    const offset = this.flushed + this.filled;
    const length = this.buffer.write(line, this.filled, 'utf8') + 1;
    this.buffer[this.filled + length - 1] = 0x0a;
    this.filled += length;
    return { offset, length };
  }

  /** Bytes of a block; valid until the next call. */
  read(offset: number, length: number): Buffer {
    this.flush();
    return readBack(this.descriptor, offset, length);
  }

  remove(): void {
    closeSync(this.descriptor);
    unlinkSync(this.path);
  }

  /** Hands over to the file what is still in memory. */
  flush(needed = 0): void {
    if (this.filled === 0 && needed <= this.buffer.length) return;
    writeFully(this.descriptor, this.buffer.subarray(0, this.filled));
    this.flushed += this.filled;
    this.filled = 0;
    if (needed > this.buffer.length) this.buffer = Buffer.allocUnsafe(needed);
    else if (this.buffer.length > BUFFER && needed <= BUFFER) this.buffer = Buffer.allocUnsafe(BUFFER);
  }
}

/** A write can be short without an error (a full disk shows only at the next call). */
export function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done);
}

/** Reads what was written before. */
export function readBack(descriptor: number, offset: number, length: number): Buffer {
  const into = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(descriptor, into, done, length - done, offset + done);
    if (count === 0) throw new Error('scratch file is shorter than what was written');
    done += count;
  }
  return into;
}
