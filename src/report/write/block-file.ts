import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readBack, writeFully } from '../../write/run-file.js';
import type { BlockKind } from '../format.js';

/** A deflated block and where its bytes lie. */
export interface Block {
  readonly kind: BlockKind;
  readonly first: number;
  readonly rows: number;
  /** Length and CRC-32 of the inflated bytes. */
  readonly bytes: number;
  readonly crc: string;
  readonly offset: number;
  readonly length: number;
}

const GZIP_HEAD = 10;
const GZIP_TAIL = 8;

/** Deflated blocks of one kind, in a private file until the page is put together. */
export class BlockFile {
  readonly blocks: Block[] = [];
  private readonly path: string;
  private readonly descriptor: number;
  private size = 0;

  constructor(folder: string, name: string) {
    this.path = join(folder, name);
    this.descriptor = openSync(this.path, 'wx+', 0o600);
  }

  add(kind: BlockKind, first: number, rows: number, bytes: Uint8Array): void {
    // Gzip is raw deflate between a fixed head and a tail that holds the CRC-32: both come out of one pass.
    const zipped = gzipSync(bytes);
    const deflated = zipped.subarray(GZIP_HEAD, -GZIP_TAIL);
    const crc = zipped
      .readUInt32LE(zipped.length - GZIP_TAIL)
      .toString(16)
      .padStart(8, '0');
    writeFully(this.descriptor, deflated);
    this.blocks.push({ kind, first, rows, bytes: bytes.length, crc, offset: this.size, length: deflated.length });
    this.size += deflated.length;
  }

  read({ offset, length }: Block): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    readBack(this.descriptor, offset, bytes);
    return bytes;
  }

  remove(): void {
    closeSync(this.descriptor);
    rmSync(this.path, { force: true });
  }
}
