import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../enrich/store.js';

const BUFFER = 1024 * 1024;

/**
 * A private file for what does not stay in memory: encoded lines, each ended by a line feed, read back in blocks; between them the
 * tables that tell where they lie.
 */
export class RunFile implements Store {
  private readonly path: string;
  private readonly descriptor: number;
  private buffer: Buffer = Buffer.alloc(0);
  private filled = 0;
  private flushed = 0;
  private block: Buffer = Buffer.alloc(0);

  /** `existing`: written by another thread, here only to be read. */
  constructor(folder: string, name: string, existing = false) {
    this.path = join(folder, name);
    this.descriptor = openSync(this.path, existing ? 'r' : 'wx+', 0o600);
  }

  /** Appends a line and tells where it lies (bytes; the length counts the line feed). */
  appendLine(line: string): { offset: number; length: number } {
    const most = line.length * 3 + 1;
    if (this.filled + most > this.buffer.length) this.flush(most);
    const offset = this.flushed + this.filled;
    const length = this.buffer.write(line, this.filled, 'utf8') + 1;
    this.buffer[this.filled + length - 1] = 0x0a;
    this.filled += length;
    return { offset, length };
  }

  append(bytes: Uint8Array): number {
    this.flush();
    const offset = this.flushed;
    writeFully(this.descriptor, bytes);
    this.flushed += bytes.length;
    return offset;
  }

  rewrite(offset: number, bytes: Uint8Array): void {
    this.flush();
    writeFully(this.descriptor, bytes, offset);
  }

  readInto(offset: number, bytes: Uint8Array): void {
    this.flush();
    readBack(this.descriptor, offset, bytes);
  }

  /** Bytes of a block; valid until the next call. */
  read(offset: number, length: number): Buffer {
    // One block is kept: many short-lived ones would be many megabytes before they are collected.
    if (length <= BUFFER && this.block.length === 0) this.block = Buffer.allocUnsafe(BUFFER);
    const bytes = length > BUFFER ? Buffer.allocUnsafe(length) : this.block.subarray(0, length);
    this.readInto(offset, bytes);
    return bytes;
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

/** A write can be short without an error (a full disk shows only at the next call). Without a place it goes to the end of what was written. */
export function writeFully(descriptor: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(descriptor, bytes, done, bytes.length - done, at === undefined ? null : at + done);
}

/** Reads what was written before. */
export function readBack(descriptor: number, offset: number, into: Uint8Array): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(descriptor, into, done, into.length - done, offset + done);
    if (count === 0) throw new Error('scratch file is shorter than what was written');
    done += count;
  }
}
