import { pipeline, type Transform } from 'node:stream';
import zlib, { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import xxhash, { type XXHash } from 'xxhash-wasm';
import { messageOf } from '../../rows/problem.js';
import type { OpenFile } from '../open.js';
import { fileBlocks, fileStream } from './archive-file.js';
import { ArchiveFault, type ArchiveLimits, checkRatio } from './member.js';
import { ZstdFrames } from './zstd-frames.js';

export type Compression = 'none' | 'gzip' | 'zstd';

/** One block of zstd in four bytes may stand for 128 KiB: small steps keep what waits to be taken small. */
const STEP = 1 << 10;

/** The bytes behind a compression, in order. Throws `ArchiveFault` where they end too early or grow out of proportion. */
export async function* decompressed(file: OpenFile, compression: Compression, limits: ArchiveLimits): AsyncGenerator<Buffer> {
  const counted = { input: 0 };
  const blocks = countedBlocks(file, counted);
  const chunks =
    compression === 'none'
      ? blocks
      : compression === 'gzip'
        ? throughStream(file, createGunzip({ chunkSize: 256 << 10 }), counted)
        : unzstd(file, blocks, counted);
  let output = 0;
  try {
    for await (const chunk of chunks) {
      output += chunk.length;
      if (compression !== 'none') checkRatio(output, counted.input, limits);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ArchiveFault ? error : new ArchiveFault(messageOf(error));
  }
}

function* countedBlocks(file: OpenFile, counted: { input: number }): Generator<Buffer> {
  for (const block of fileBlocks(file, 0, file.size)) {
    counted.input += block.length;
    yield block;
  }
}

async function* throughStream(
  file: OpenFile,
  stream: Transform & { bytesWritten: number },
  counted: { input: number },
): AsyncGenerator<Buffer> {
  // Errors come out of the loop below.
  pipeline(fileStream(file, 0, file.size), stream, () => {});
  for await (const chunk of stream) {
    counted.input = stream.bytesWritten;
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}

/** Node has zstd from 22.15 on. */
function ownZstd(): (Transform & { bytesWritten: number }) | undefined {
  const make: unknown = Reflect.get(zlib, 'createZstdDecompress');
  return typeof make === 'function' ? make() : undefined;
}

async function* unzstd(file: OpenFile, blocks: Generator<Buffer>, counted: { input: number }): AsyncGenerator<Buffer> {
  const own = ownZstd();
  if (own !== undefined) {
    yield* throughStream(file, own, counted);
    return;
  }
  const frames = new CheckedFrames((await xxhash()).create64);
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += STEP) yield* frames.push(block.subarray(at, at + STEP), false);
  }
  yield* frames.push(Buffer.alloc(0), true);
}

/** Decompresses frame by frame, and compares what comes out with the checksum of each, which the decompressor leaves unread. */
class CheckedFrames {
  private readonly frames = new ZstdFrames();
  private readonly stream = new Decompress((chunk) => {
    this.hash.update(chunk);
    this.ready.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  });
  private hash: XXHash<bigint>;
  private ready: Buffer[] = [];
  private passed = 0;

  constructor(private readonly newHash: () => XXHash<bigint>) {
    this.hash = newHash();
  }

  *push(bytes: Buffer, final: boolean): Generator<Buffer> {
    let from = 0;
    for (const { at, checksum } of this.frames.push(bytes, final)) {
      const to = at - this.passed;
      if (to > from) this.stream.push(bytes.subarray(from, to), false);
      from = Math.max(from, to);
      yield* this.taken();
      if (checksum !== undefined && BigInt(checksum) !== (this.hash.digest() & 0xffffffffn))
        throw new ArchiveFault('a checksum of zstd is not that of the bytes: something in it was changed or damaged');
      this.hash = this.newHash();
    }
    this.stream.push(bytes.subarray(from), final);
    this.passed += bytes.length;
    yield* this.taken();
  }

  private taken(): Buffer[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }
}
