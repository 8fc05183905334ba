import { RandomAccessReader } from 'yauzl';
import { type OpenFile, readFully } from '../open.js';

const BLOCK = 1 << 20;

/** A part of a file, read at any place through one block: the list of members is asked for in very small pieces. */
export class BlockReader extends RandomAccessReader {
  private block: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(
    private readonly file: OpenFile,
    private readonly start: number,
    readonly size: number,
  ) {
    super();
  }

  /** Up to `length` bytes; fewer where the part ends. Not to be kept over the next call. */
  bytes(position: number, length: number): Buffer {
    const wanted = Math.max(0, Math.min(length, this.size - position));
    if (position < this.at || position + wanted > this.at + this.block.length) {
      const into = Buffer.allocUnsafeSlow(Math.max(0, Math.min(Math.max(BLOCK, wanted), this.size - position)));
      this.block = readFully(this.file.fd, into, this.start + position);
      this.at = position;
    }
    return this.block.subarray(position - this.at, position - this.at + wanted);
  }

  /** What is at hand from a place on, at least four bytes unless the part ends. Not to be kept over the next call. */
  window(position: number): Buffer {
    const held = position < this.at ? 0 : this.at + this.block.length - position;
    return this.bytes(position, held >= 4 || (held > 0 && position + held === this.size) ? held : BLOCK);
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    let error: Error | null = null;
    try {
      if (this.bytes(position, length).copy(buffer, offset) < length) error = new Error('unexpected end of file');
    } catch (failed) {
      error = failed instanceof Error ? failed : new Error(String(failed));
    }
    callback(error);
  }
}
