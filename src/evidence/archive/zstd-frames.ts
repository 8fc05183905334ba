import { ArchiveFault } from './member.js';

const FRAME = 0xfd2fb528;
const WINDOW_LIMIT = 64 << 20;
/** Longest frame header, with its magic number. */
const HEADER = 18;

/** Where a frame ends, in bytes from the beginning of the stream, and the checksum it bears, if any. */
export interface FrameEnd {
  readonly at: number;
  readonly checksum: number | undefined;
}

/**
 * Follows the frames of a zstd stream (RFC 8878, section 3) and refuses windows that would have to be held in memory: the decompressor
 * makes one of any size it is told.
 */
export class ZstdFrames {
  private held: Buffer = Buffer.alloc(0);
  private skip = 0;
  private state: 'frame' | 'block' | 'end' = 'frame';
  private hasChecksum = false;
  private passed = 0;
  private ends: FrameEnd[] = [];

  /** Takes further bytes; gives the frames that end in them, or ended before and were not told yet. */
  push(chunk: Buffer, final: boolean): readonly FrameEnd[] {
    let bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    for (let used = this.step(bytes, final); used !== undefined; used = this.step(bytes, final)) {
      this.passed += used;
      bytes = bytes.subarray(used);
    }
    this.held = Buffer.from(bytes);
    const { ends } = this;
    this.ends = [];
    return ends;
  }

  /** How many bytes are done with; undefined when more are needed. */
  private step(bytes: Buffer, final: boolean): number | undefined {
    if (this.skip > 0) {
      const passed = Math.min(this.skip, bytes.length);
      this.skip -= passed;
      return passed === 0 ? undefined : passed;
    }
    if (this.state === 'end') return this.end(bytes);
    const used = bytes.length === 0 ? 0 : this.state === 'frame' ? this.frame(bytes, final) : this.block(bytes);
    return used === 0 ? undefined : used;
  }

  /** Bytes of a frame header; 0: not enough of it is there. */
  private frame(bytes: Buffer, final: boolean): number {
    if (bytes.length < (final ? 6 : HEADER)) return 0;
    const magic = bytes.readUInt32LE(0);
    if ((magic & 0xfffffff0) >>> 0 === 0x184d2a50) {
      this.skip = bytes.readUInt32LE(4);
      return 8;
    }
    if (magic !== FRAME) throw new ArchiveFault('what follows is not zstd');
    const flags = bytes[4] ?? 0;
    const single = (flags & 0x20) !== 0;
    const idSize = [0, 1, 2, 4][flags & 3] ?? 0;
    const sizeSize = [single ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
    const at = 5 + (single ? 0 : 1) + idSize;
    if (bytes.length < at + sizeSize) return 0;
    const descriptor = bytes[5] ?? 0;
    const window = single ? contentSize(bytes, at, sizeSize) : 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8);
    if (window > WINDOW_LIMIT)
      throw new ArchiveFault(`it was compressed with a window of ${window} bytes (zstd --long, or --ultra): decompress it with zstd first`);
    this.hasChecksum = (flags & 4) !== 0;
    this.state = 'block';
    return at + sizeSize;
  }

  private block(bytes: Buffer): number {
    if (bytes.length < 3) return 0;
    const header = bytes.readUIntLE(0, 3);
    // A block of one repeated byte holds that byte only.
    this.skip = ((header >> 1) & 3) === 1 ? 1 : header >> 3;
    if ((header & 1) === 1) this.state = 'end';
    return 3;
  }

  private end(bytes: Buffer): number | undefined {
    if (this.hasChecksum && bytes.length < 4) return undefined;
    const size = this.hasChecksum ? 4 : 0;
    this.state = 'frame';
    this.ends.push({ at: this.passed + size, checksum: this.hasChecksum ? bytes.readUInt32LE(0) : undefined });
    return size;
  }
}

function contentSize(bytes: Buffer, at: number, length: number): number {
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return length === 0 ? 0 : bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}
