import type { BlockFile } from './block-file.js';

/** Blocks end between rows at about this many bytes. */
const BLOCK = 256 * 1024;

/** Gathers the UTF-8 of one text for each row into blocks; a text that is longer than a block has one of its own. */
export class RowBlocks {
  private buffer = Buffer.allocUnsafe(BLOCK);
  private filled = 0;
  private first = 0;
  private rows = 0;

  constructor(
    private readonly kind: 'text' | 'cold',
    private readonly file: BlockFile,
  ) {}

  /** Bytes of the text. A lone surrogate becomes U+FFFD: UTF-8 has no place for it. */
  add(text: string): number {
    const bytes = Buffer.byteLength(text);
    if (this.filled > 0 && this.filled + bytes > BLOCK) this.flush();
    if (bytes > BLOCK) {
      this.flush();
      this.file.add(this.kind, this.first, 1, Buffer.from(text));
      this.first += 1;
      return bytes;
    }
    this.filled += this.buffer.write(text, this.filled);
    this.rows += 1;
    return bytes;
  }

  flush(): void {
    if (this.rows > 0) this.file.add(this.kind, this.first, this.rows, this.buffer.subarray(0, this.filled));
    this.first += this.rows;
    this.rows = 0;
    this.filled = 0;
  }
}
