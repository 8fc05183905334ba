import { createHash } from 'node:crypto';
import type { Artifact, FileSource, Line } from '../../src/evidence/source.js';
import type { FileParser } from '../../src/parsers/parser.js';
import type { Draft } from '../../src/rows/draft.js';

/** 2026-05-01T10:00:00.000Z. */
export const MTIME = { ms: 1_777_629_600_000, ns: 0, source: 'file_mtime', original: '1777629600' } as const;

/** A FileSource over bytes in memory; a text is taken as UTF-8. Lines above `limit` come as too long, with their first 16 bytes. */
export function memorySource(content: string | Uint8Array, artifact: Partial<Artifact> = {}, limit = Number.POSITIVE_INFINITY): FileSource {
  const bytes = Buffer.from(content);
  return {
    artifact: {
      store: 'memory',
      file: 'home/alice/file',
      agent: 'amazon-q-cli',
      user: 'alice',
      root: '',
      home: 'home/alice',
      base: 'home/alice',
      inProject: false,
      size: bytes.length,
      mtime: MTIME,
      ...artifact,
    },
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    bytes: () => bytes,
    lines: () => linesOf(bytes, limit),
  };
}

function* linesOf(bytes: Buffer, limit: number): Generator<Line> {
  for (let offset = 0, number = 1; offset < bytes.length; number += 1) {
    const feed = bytes.indexOf(0x0a, offset);
    const end = feed < 0 ? bytes.length : feed;
    const place = { number, offset, ended: feed >= 0 };
    if (end - offset > limit) yield { bytes: bytes.subarray(offset, offset + 16), ...place, tooLong: end - offset };
    else yield { bytes: bytes.subarray(offset, end), ...place };
    offset = end + 1;
  }
}

/** Drafts a parser gives for a content; `beside` are the files in the same folder, by name. */
export function draftsOf(
  parser: FileParser,
  content: string | Uint8Array,
  artifact: Partial<Artifact> = {},
  beside: Readonly<Record<string, string | Uint8Array>> = {},
): Draft[] {
  const companions = new Map(Object.entries(beside).map(([name, bytes]) => [name, memorySource(bytes)] as const));
  return [...parser.parse(memorySource(content, artifact), companions)];
}

/** Rows of a JSON store. */
export function jsonDraftsOf(parser: FileParser, value: unknown, artifact: Partial<Artifact> = {}): Draft[] {
  return draftsOf(parser, JSON.stringify(value), artifact);
}

/** Every string and number of a value that is in no row: not in a text, a column or the details. */
export function missingLeaves(value: unknown, drafts: readonly Draft[]): (string | number)[] {
  const held = JSON.stringify(drafts.map(({ time: _, ...draft }) => draft));
  const texts = drafts.map((draft) => `${draft.text}\n${draft.time?.original ?? ''}`).join('\n');
  return leaves(value).filter((leaf) => !texts.includes(String(leaf)) && !held.includes(JSON.stringify(leaf)));
}

function leaves(value: unknown): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}
