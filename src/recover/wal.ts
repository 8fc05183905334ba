import type { ByteSource } from '../evidence/source.js';
import { u32, u32le } from './bytes.js';
import { storedPageSize } from './geometry.js';

export interface Frame {
  readonly page: number;
  /** Size of the database in pages after the commit that this frame ends; 0 for any other frame. */
  readonly commitSize: number;
  /** Offset of the page image in the log. */
  readonly offset: number;
}

/** Frames under one pair of salts: what was written between two resets of the log (sections 4.1, 4.4). */
export interface Generation {
  readonly current: boolean;
  /** From 1, the oldest first. */
  readonly number: number;
  readonly frames: readonly Frame[];
  /** Frames up to the last valid commit; those behind were never committed, or their commit is lost. */
  readonly committed: number;
  /** False when frames before the first one here were overwritten. */
  readonly fromStart: boolean;
}

export interface Wal {
  readonly pageSize: number;
  readonly generations: readonly Generation[];
  readonly frames: number;
  readonly commits: number;
  readonly problems: readonly string[];
}

const HEADER = 32;
const FRAME_HEADER = 24;

/** Page size of the log by its header, 0 when that cannot be read. */
export function walPageSize(wal: ByteSource | undefined): number {
  const header = wal === undefined ? Buffer.alloc(0) : wal.read(0, 12);
  return header.length === 12 && isMagic(u32(header, 0)) ? storedPageSize(u32(header, 8)) : 0;
}

const isMagic = (value: number) => value === 0x377f0682 || value === 0x377f0683;

interface Open {
  readonly salt: string;
  readonly salt1: number;
  readonly current: boolean;
  readonly fromStart: boolean;
  readonly frames: Frame[];
  committed: number;
}

export function readWal(wal: ByteSource, pageSize: number): Wal {
  const header = Buffer.from(wal.read(0, HEADER));
  const problems: string[] = [];
  if (wal.size === 0) return { pageSize, generations: [], frames: 0, commits: 0, problems: ['the log is empty (0 bytes)'] };
  const magic = header.length === HEADER ? u32(header, 0) : 0;
  if (!isMagic(magic)) problems.push('the header of the log cannot be read: its frames are not verified');
  const bigEndian = magic !== 0x377f0682;
  const sum = (bytes: Buffer, from: number, to: number, seed: readonly [number, number]) => checksum(bytes, from, to, seed, bigEndian);
  const saltOf = (bytes: Buffer, at: number) => bytes.toString('hex', at, at + 8);
  const opening = saltOf(header, 16);
  let live = isMagic(magic);
  let sums: [number, number] = sum(header, 0, 24, [0, 0]);
  if (live && (sums[0] !== u32(header, 24) || sums[1] !== u32(header, 28))) {
    live = false;
    problems.push('the checksum of the log header is wrong');
  }
  const groups: Open[] = [];
  let frames = 0;
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= wal.size; at += FRAME_HEADER + pageSize) {
    const bytes = wal.read(at, FRAME_HEADER + pageSize);
    const page = u32(bytes, 0);
    const salt = saltOf(bytes, 8);
    let group = groups.at(-1);
    // A frame's checksum goes on from the one before: even where the beginning is lost, all but the first frame can be checked.
    const stored: [number, number] = [u32(bytes, 16), u32(bytes, 20)];
    const body = sum(bytes, FRAME_HEADER, bytes.length, sum(bytes, 0, 8, sums));
    const valid = body[0] === stored[0] && body[1] === stored[1];
    if (live && (salt !== opening || !valid)) live = false;
    const follows = group !== undefined && group.salt === salt && valid;
    if (live ? group === undefined : !follows) {
      group = { salt, salt1: u32(bytes, 8), current: live, fromStart: live, frames: [], committed: 0 };
      groups.push(group);
    }
    sums = stored;
    if (page === 0 || group === undefined) continue;
    frames += 1;
    group.frames.push({ page, commitSize: u32(bytes, 4), offset: at + FRAME_HEADER });
    if (u32(bytes, 4) !== 0) group.committed = group.frames.length;
  }
  const merged = merge(groups, opening);
  const commits = merged.reduce((n, g) => n + g.frames.filter((f) => f.commitSize !== 0).length, 0);
  return { pageSize, generations: merged, frames, commits, problems };
}

/**
 * The oldest generation first: the first salt rises by one at each reset. Groups of one salt pair that a damaged frame parts
 * stay apart; single frames that nothing verifies are left out.
 */
function merge(groups: readonly Open[], opening: string): Generation[] {
  const newest = Number.parseInt(opening.slice(0, 8), 16);
  const age = (salt1: number) => (newest - salt1 + 0x1_0000_0000) % 0x1_0000_0000;
  return groups
    .filter((group) => group.current || group.frames.length > 1)
    .sort((a, b) => age(b.salt1) - age(a.salt1) || Number(a.current) - Number(b.current))
    .map(({ current, frames, committed, fromStart }, i) => ({ current, number: i + 1, frames, committed, fromStart }));
}

/** The checksum of section 4.2 over 8-byte pairs. */
function checksum(bytes: Buffer, from: number, to: number, seed: readonly [number, number], bigEndian: boolean): [number, number] {
  let [s0, s1] = seed;
  const read = bigEndian ? u32 : u32le;
  for (let at = from; at + 8 <= to; at += 8) {
    s0 = (s0 + read(bytes, at) + s1) >>> 0;
    s1 = (s1 + read(bytes, at + 4) + s0) >>> 0;
  }
  return [s0, s1];
}
