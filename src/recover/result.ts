import type { Candidate } from './collect.js';
import { parsePiece, unescapeCut } from './json-scan.js';
import type { RecoveredEntry, RecoveredSource, RecoveryInput, Region, Slice } from './types.js';
import { sourceOf } from './view.js';

/** Reads each object again from its slices, in turn. */
export function* handOut(input: RecoveryInput, settled: readonly Candidate[]): Generator<RecoveredEntry> {
  for (const candidate of settled) {
    const { kind, confidence, region, slices, pages, joins, stop, sha256, around, generation, commit, copies, variants } = candidate;
    yield {
      kind,
      raw: contentOf(input, candidate),
      source: sourceOfRegion(region),
      region,
      confidence,
      ...(candidate.conversation === '' ? {} : { conversationId: candidate.conversation }),
      ...(candidate.possible.length === 0 ? {} : { possibleIds: candidate.possible }),
      ...(candidate.project === '' ? {} : { projectPath: candidate.project }),
      slices,
      pages,
      joins,
      stop,
      sha256,
      around,
      generation,
      commit,
      copies,
      variants,
      problems: candidate.problems,
      ...(kind === 'credential' ? { stored: () => sliceBytes(input, slices).toString('utf8') } : {}),
    };
  }
}

function contentOf(input: RecoveryInput, { kind, slices, value }: Candidate): unknown {
  if (kind === 'credential' || kind === 'state') return undefined;
  if (kind === 'shell') return value;
  const bytes = sliceBytes(input, slices);
  return kind === 'fragment' ? unescapeCut(bytes.toString('utf8')) : parsePiece(bytes, 0, bytes.length);
}

/** The bytes of slices, one after the other: what `entry_sha256` is computed over. */
export function sliceBytes(input: RecoveryInput, slices: readonly Slice[]): Buffer {
  return Buffer.concat(
    slices.map(({ file, offset, length }) => Buffer.from(sourceOf(input, file)?.read(offset, length) ?? Buffer.alloc(0))),
  );
}

export function sourceOfRegion(region: Region): RecoveredSource {
  if (region.startsWith('free')) return 'freelist';
  if (region.startsWith('wal')) return 'wal';
  return region === 'journal' ? 'journal' : 'unallocated';
}
