import { type Extract, extract, type Header } from 'tar-stream';
import { showBytes } from '../../rows/problem.js';
import { fileTime } from '../file-time.js';
import type { OpenFile } from '../open.js';
import { fileOf } from './archive-file.js';
import { type Compression, decompressed } from './decompress.js';
import { type Archive, ArchiveFault, type ArchiveFormat, type ArchiveLimits, type Member } from './member.js';
import { cleanName } from './name.js';

const FORMATS: Readonly<Record<Compression, ArchiveFormat>> = { none: 'tar', gzip: 'tar.gz', zstd: 'tar.zst' };
const RECORD = 512;
const TURN = 16;
/** Older formats too; names as bytes; every write is answered, so that the last one is seen to have passed. */
const OPTIONS = { allowUnknownFormat: true, filenameEncoding: 'latin1', highWaterMark: 1 };

const KINDS: Readonly<Record<string, Member['kind']>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
  symlink: 'link',
  link: 'hard link',
  fifo: 'fifo',
  'character-device': 'device',
  'block-device': 'device',
};

/** A tar, plain or compressed, read from its beginning to its end each time. */
export function openTar(file: OpenFile, compression: Compression, limits: ArchiveLimits): Archive {
  const problems: string[] = [];
  return {
    format: FORMATS[compression],
    problems,
    ...fileOf(file),
    async *members() {
      const stream = extract(OPTIONS);
      const feed = new Feed(decompressed(file, compression, limits), stream);
      const entries = stream[Symbol.asyncIterator]();
      try {
        for (
          let next = await feed.until(entries.next());
          next !== undefined && next.done !== true;
          next = await feed.until(entries.next())
        ) {
          const { header } = next.value;
          // A folder has no content, whatever its size says: whoever waited for it would wait for ever.
          if (header.type === 'directory') header.size = 0;
          const content = contentOf(next.value, feed);
          yield memberOf(header, content);
          // What nobody asked for has to pass, too.
          for (let chunk = await content.next(); chunk.done !== true; chunk = await content.next());
        }
      } finally {
        stream.destroy();
      }
    },
  };
}

interface Waiter {
  readonly resolve: (nothing: undefined) => void;
  readonly reject: (fault: unknown) => void;
}

/** Writes the bytes of an archive into its reader, and tells whoever waits for more when there are no more. */
class Feed {
  /** One step is waited for at a time; a promise of the end that is waited for again and again would keep all results. */
  private waiter: Waiter | undefined;
  private ended: { readonly fault: unknown } | undefined;

  constructor(chunks: AsyncGenerator<Buffer>, into: Extract) {
    this.pass(chunks, into).then(
      () => this.end(undefined),
      (fault: unknown) => this.end(fault),
    );
  }

  /** The result of a step, or undefined when the archive has ended. Throws what ended it too early. */
  until<T>(step: Promise<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { resolve, reject };
      this.waiter = waiter;
      step.then(resolve, reject);
      // What the reader holds already comes first.
      if (this.ended !== undefined) setImmediate(() => this.release(waiter));
    });
  }

  /** The archive ended inside a member: that is said to all who ask from now on. */
  cut(what: string): ArchiveFault {
    const fault = new ArchiveFault(what);
    this.ended = { fault };
    return fault;
  }

  private end(fault: unknown): void {
    this.ended = { fault };
    if (this.waiter !== undefined) this.release(this.waiter);
  }

  private release({ resolve, reject }: Waiter): void {
    if (this.ended?.fault === undefined) resolve(undefined);
    else reject(this.ended.fault);
  }

  private async pass(chunks: AsyncGenerator<Buffer>, into: Extract): Promise<void> {
    let size = 0;
    let count = 0;
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (into.destroyed) return;
        if (!into.write(chunk)) await drained(into);
        // All of this may run without a turn of the event loop, and signals come only between turns.
        count += 1;
        if (count % TURN === 0) await turn();
      }
    } finally {
      // What was written has reached those who wait for it before they are told that nothing follows.
      await turn();
    }
    if (size % RECORD !== 0) throw new ArchiveFault('the archive ends inside a record');
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function drained(stream: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

type Source = AsyncIterable<unknown> & { readonly header: Header };

async function* contentOf(entry: Source, feed: Feed): AsyncGenerator<Buffer> {
  const chunks = entry[Symbol.asyncIterator]();
  let size = 0;
  for (;;) {
    // Returning early would end the whole archive: the iterator is not told.
    const next = await feed.until(chunks.next());
    if (next === undefined) throw feed.cut(`the archive ends after ${size} of its ${entry.header.size} bytes`);
    if (next.done === true) return;
    if (!Buffer.isBuffer(next.value)) continue;
    size += next.value.length;
    yield next.value;
  }
}

/** A reader that stops early ends this and not the content, the rest of which has to pass. */
async function* handedOver(content: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  for (let next = await content.next(); next.done !== true; next = await content.next()) yield next.value;
}

function memberOf(header: Header, content: AsyncGenerator<Buffer>): Member {
  const pax = paxOf(header);
  const name = cleanName(textOf(pax.path, header.name));
  const kind = KINDS[header.type ?? ''] ?? 'unknown';
  const sparse = Object.keys(pax).some((key) => key.startsWith('GNU.sparse.'));
  return {
    name,
    kind: kind === 'file' && name.folder ? 'folder' : kind,
    size: header.size ?? 0,
    mtime: mtimeOf(header, pax.mtime),
    target: textOf(pax.linkpath, header.linkname ?? ''),
    doubts: [],
    ...(sparse ? { fault: 'stored as a sparse file: unpack it with tar' } : {}),
    content: () => handedOver(content),
  };
}

/** Extended headers hold UTF-8; names elsewhere are bytes, here as one character each. */
const textOf = (extended: string | undefined, plain: string) => extended ?? showBytes(Buffer.from(plain, 'latin1'));

function paxOf(header: Header): Readonly<Record<string, string>> {
  const pax: unknown = 'pax' in header ? header.pax : undefined;
  return typeof pax === 'object' && pax !== null ? Object.fromEntries(Object.entries(pax).map(([key, value]) => [key, String(value)])) : {};
}

function mtimeOf({ mtime }: Header, extended: string | undefined): Member['mtime'] {
  const [, seconds, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(extended ?? '') ?? [];
  if (seconds !== undefined) return fileTime(BigInt(seconds) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0')));
  const ms = mtime?.getTime() ?? 0;
  return Number.isFinite(ms) ? fileTime(BigInt(Math.trunc(ms)) * 1_000_000n) : undefined;
}

/** True for 512 bytes that are the header of a tar: its checksum tells. */
export function isTarHeader(bytes: Buffer): boolean {
  if (bytes.length < RECORD) return false;
  const stated = Number.parseInt(
    bytes
      .toString('latin1', 148, 156)
      .replace(/[\0 ]+$/, '')
      .trim(),
    8,
  );
  let sum = 8 * 0x20;
  for (let i = 0; i < RECORD; i++) sum += i >= 148 && i < 156 ? 0 : (bytes[i] ?? 0);
  return sum === stated && bytes[0] !== 0;
}
