import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { faultText } from '../fault.js';
import { ArchiveFault, type ArchiveLimits, BombFault } from './member.js';

/** Content of a member in the scratch folder. */
export interface UnpackedFile {
  readonly path: string;
  readonly size: number;
}

export type Unpacked = UnpackedFile | { readonly fault: string };

const CHECKED_EVERY = 64 << 20;
/** Left free for copies of databases and for the rows. */
const SPARED = 64 << 20;

/** Writes contents of members to numbered files in the private folder; their names never touch the file system. */
export class Unpacker {
  files = 0;
  bytes = 0;
  private unchecked = 0;
  private readonly folder: string;

  constructor(
    scratch: string,
    private readonly limits: ArchiveLimits,
  ) {
    this.folder = join(scratch, 'archive');
    mkdirSync(this.folder, { mode: 0o700, recursive: true });
  }

  /** What was read before a fault is kept, and `doubts` says where it ends; out-of-proportion content is not kept. */
  async unpack(head: readonly Buffer[], rest: AsyncIterator<Buffer>, size: number, doubts: string[]): Promise<Unpacked> {
    const fault = this.room(size);
    if (fault !== undefined) return { fault };
    this.files += 1;
    const path = join(this.folder, String(this.files));
    const file = openSync(path, 'wx', 0o600);
    let written = 0;
    try {
      for (const chunk of head) written += this.write(file, chunk, written);
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) written += this.write(file, next.value, written);
    } catch (error) {
      if (error instanceof BombFault || !(error instanceof ArchiveFault) || written === 0) {
        this.bytes -= written;
        rmSync(path, { force: true });
        return { fault: error instanceof ArchiveFault ? error.message : faultText(error) };
      }
      doubts.push(`not whole, its first ${written} bytes were read: ${error.message}`);
    } finally {
      closeSync(file);
    }
    return { path, size: written };
  }

  private room(size: number): string | undefined {
    if (size > this.limits.member) return `it has ${size} bytes, more than are unpacked of one member (${this.limits.member})`;
    if (this.bytes + size > this.limits.total)
      return `more than ${this.limits.total} bytes in all are not unpacked: unpack the archive first`;
    const free = this.free();
    return size + SPARED > free ? `not enough space in the scratch folder: ${size} bytes needed, ${free} free` : undefined;
  }

  private free(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  private write(file: number, chunk: Buffer, written: number): number {
    if (written + chunk.length > this.limits.member)
      throw new BombFault(`it has more than the ${this.limits.member} bytes that are unpacked of one member`);
    if (this.bytes + chunk.length > this.limits.total)
      throw new BombFault(`more than ${this.limits.total} bytes in all are not unpacked: unpack the archive first`);
    this.unchecked += chunk.length;
    if (this.unchecked > CHECKED_EVERY) {
      this.unchecked = 0;
      if (this.free() < SPARED) throw new BombFault('no space left in the scratch folder');
    }
    // A write that meets the end of the space returns short without an error; only the next one fails.
    for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
    this.bytes += chunk.length;
    return chunk.length;
  }
}
