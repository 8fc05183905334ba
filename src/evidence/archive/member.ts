import type { Instant } from '../../rows/time.js';
import type { MemberName } from './name.js';

/** One member of an archive, as it is met. Its content can be asked for once, and only before the next member. */
export interface Member {
  readonly name: MemberName;
  readonly kind: 'file' | 'folder' | 'link' | 'hard link' | 'fifo' | 'device' | 'unknown';
  /** As the archive says; the content may have another. */
  readonly size: number;
  readonly mtime: Instant | undefined;
  /** Where a hard link leads. */
  readonly target?: string;
  /** Why the content cannot be read. */
  readonly fault?: string;
  /** What is doubtful about the content; grows while it is read. */
  readonly doubts: string[];
  /** Throws `ArchiveFault` where the content cannot be had to its end; what was handed over before stays true. */
  content(): AsyncGenerator<Buffer>;
}

/** An opened archive. It may be read more than once, always in the same order. */
export interface Archive {
  readonly format: ArchiveFormat;
  readonly size: number;
  /** Throws `ArchiveFault` where the archive cannot be read to its end. */
  members(): AsyncGenerator<Member>;
  /** What is to be said of the archive as a whole after its members were read. */
  readonly problems: readonly string[];
  /** Of the archive itself. */
  sha256(): Promise<string>;
  changed(): boolean;
  close(): void;
}

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz' | 'tar.zst';

/** Something in an archive that keeps it, or a member, from being read to the end. */
export class ArchiveFault extends Error {}

/** Content that grows out of all proportion: what was read of it is not kept. */
export class BombFault extends ArchiveFault {}

/** Bounds on what an archive may make of itself. */
export interface ArchiveLimits {
  readonly members: number;
  /** Bytes of one member, and of all that is unpacked in a run. */
  readonly member: number;
  readonly total: number;
  /** Output to input, once the output is beyond a size. */
  readonly ratio: number;
  readonly ratioFrom: number;
  /** Folders one inside the other. */
  readonly folders: number;
  /** Archives one inside the other. */
  readonly depth: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  members: 5_000_000,
  member: 20e9,
  total: 20e9,
  ratio: 200,
  ratioFrom: 100e6,
  folders: 200,
  depth: 2,
};

/** Throws once the output is out of proportion to the input. */
export function checkRatio(output: number, input: number, { ratio, ratioFrom }: ArchiveLimits): void {
  if (output > ratioFrom && output > ratio * input)
    throw new BombFault(
      `${input} compressed bytes give more than ${output} bytes, over ${ratio} times as much: unpack it with another tool first`,
    );
}
