import { LEAF } from './btree.js';
import { u32 } from './bytes.js';
import type { Chain, Segment } from './carved.js';
import type { Geometry } from './geometry.js';
import { sha256Of } from './keys.js';
import { startsIn } from './slack.js';
import { budgetFor, type StateLabel, valueChains } from './state-chains.js';
import type { States } from './states.js';
import { textEnd } from './text-run.js';
import type { RecoveryInput, Region } from './types.js';
import { type Image, type PageView, pageView, sourceOf } from './view.js';
import type { Frame, Generation } from './wal.js';

/** Chains of every committed state that the log holds, generation by generation, the oldest first. */
export function* walChains(input: RecoveryInput, states: States, limit: number): Generator<Chain> {
  const { wal, strangeWal, geometry } = states;
  if (wal === undefined) return;
  const { pageSize } = wal;
  const usable = strangeWal || input.main === undefined ? pageSize : geometry.usable;
  const logGeometry: Geometry = { ...geometry, pageSize, usable };
  const base: RecoveryInput = strangeWal ? { main: undefined, wal: input.wal } : input;
  for (const generation of wal.generations) {
    const used = new Set<number>();
    yield* stateChains(base, logGeometry, generation, limit, used);
    yield* headlessChains(input, logGeometry, generation, used);
  }
}

function* stateChains(
  input: RecoveryInput,
  geometry: Geometry,
  generation: Generation,
  limit: number,
  used: Set<number>,
): Generator<Chain> {
  const overlay = new Map<number, Image>();
  const last = new Map<number, number>();
  generation.frames.forEach(({ page }, i) => last.set(page, i));
  const seen = new Set<string>();
  const budget = budgetFor(generation.frames.length);
  let from = 0;
  for (let commit = 1; from < generation.frames.length; commit++) {
    let to = from;
    while (to < generation.frames.length - 1 && generation.frames[to]?.commitSize === 0) to += 1;
    for (let i = from; i <= to; i++) {
      const frame = generation.frames[i];
      if (frame === undefined) continue;
      overlay.set(frame.page, { file: 'wal', offset: frame.offset });
    }
    const view = pageView(input, geometry, overlay);
    // A page of the main file belongs to this state unless a later frame of the same log may have been copied over it already.
    const inBase = (page: number) => generation.current && (last.get(page) ?? -1) <= to;
    const label: StateLabel = {
      region: to >= generation.committed ? 'wal-uncommitted' : generation.current ? 'wal-current' : 'wal-stale',
      generation: generation.number,
      commit,
      budget,
      proof: (a, aPage, b, bPage) =>
        (a.file === 'wal' || inBase(aPage)) && (b.file === 'wal' || inBase(bPage)) ? 'same-commit' : 'wal-base',
    };
    for (const page of changedPages(generation.frames, from, to)) {
      for (const chain of valueChains(view, page, label, limit)) {
        // A leaf page is written anew for each of its cells: the same head with the same chain is the same value.
        const name = nameOf(input, chain);
        if (seen.has(name)) continue;
        seen.add(name);
        for (const { file, offset } of chain.segments) if (file === 'wal') used.add(offset - 4);
        yield chain;
      }
    }
    from = to + 1;
  }
}

function nameOf(input: RecoveryInput, { segments }: Chain): string {
  const [head, ...rest] = segments;
  const bytes = head === undefined ? undefined : sourceOf(input, head.file)?.read(head.offset, head.length);
  return sha256Of(`${bytes === undefined ? '' : sha256Of(bytes)}${rest.map(({ file, offset }) => `${file}${offset}`).join()}`);
}

function changedPages(frames: readonly Frame[], from: number, to: number): number[] {
  return [...new Set(frames.slice(from, to + 1).map(({ page }) => page))];
}

/**
 * Where the front of a generation is overwritten, values have lost their cells: frames that no value uses are chained among
 * those of one commit. What lies in leaf pages outside their cells comes as single pieces.
 */
function* headlessChains(input: RecoveryInput, geometry: Geometry, generation: Generation, used: ReadonlySet<number>): Generator<Chain> {
  const { wal } = input;
  if (wal === undefined) return;
  const { frames, number, current } = generation;
  const region: Region = current ? 'wal-current' : 'wal-stale';
  for (let from = 0, commit = 1; from < frames.length; commit++) {
    let to = from;
    while (to < frames.length - 1 && frames[to]?.commitSize === 0) to += 1;
    const place = { head: undefined, closed: false, generation: number, commit } as const;
    const pages = new Map<number, LoosePage>();
    for (const frame of frames.slice(from, to + 1)) {
      const bytes = Buffer.from(wal.read(frame.offset, geometry.usable));
      if (bytes[0] === LEAF && !generation.fromStart) {
        for (const segment of loosePieces(bytes, frame, region)) yield { segments: [segment], stop: 'no-pointer', ...place };
      }
      const end = bytes[0] !== 0 || used.has(frame.offset) ? 0 : textEnd(bytes, 4, bytes.length);
      if (end > 4) pages.set(frame.page, { offset: frame.offset, next: end < geometry.usable ? 0 : u32(bytes, 0), end });
    }
    for (const segments of looseChains(pages, region)) yield { segments, stop: 'missing-page', ...place };
    from = to + 1;
  }
}

interface LoosePage {
  readonly offset: number;
  readonly next: number;
  readonly end: number;
}

function loosePieces(bytes: Buffer, { page, offset }: Frame, region: Region): Segment[] {
  const pieces = startsIn(bytes, page, 8, bytes.length, bytes.length, 0);
  return pieces.map(({ from, to }) => ({ file: 'wal', offset: offset + from, length: to - from, page, proof: undefined, region }));
}

function* looseChains(pages: ReadonlyMap<number, LoosePage>, region: Region): Generator<Segment[]> {
  const claims = new Map<number, number>();
  for (const { next } of pages.values()) if (next !== 0) claims.set(next, (claims.get(next) ?? 0) + 1);
  const done = new Set<number>();
  const starts = [...pages.keys()].sort((a, b) => Number(claims.has(a)) - Number(claims.has(b)));
  for (const start of starts) {
    const segments: Segment[] = [];
    for (let page = start, found = pages.get(page); found !== undefined && !done.has(page); found = pages.get(page)) {
      done.add(page);
      const proof = segments.length === 0 ? undefined : (claims.get(page) ?? 0) > 1 ? 'contested' : 'same-commit';
      segments.push({ file: 'wal', offset: found.offset + 4, length: found.end - 4, page, proof, region });
      page = found.next;
    }
    if (segments.length > 0) yield segments;
  }
}

/** Values in the leaf pages that a journal or log lies over: as the journal has them, and as the main file has them beneath. */
export function* layeredChains(states: States, limit: number): Generator<Chain> {
  const { journal, live, file, wal } = states;
  if (journal !== undefined && journal.images.size > 0) {
    const trusted = (image: Image) => image.file === 'journal' || journal.hot;
    const label: StateLabel = {
      region: 'journal',
      generation: 0,
      commit: 0,
      budget: budgetFor(journal.images.size + file.view.pageCount),
      // Images of a cleared journal belong to the last transaction; pages that it lacks may have been written since.
      proof: (a, _a, b) => (trusted(a) && trusted(b) ? 'same-commit' : 'wal-base'),
    };
    const view: PageView = pageView(states.input, file.view.geometry, journal.images, journal.pageCount || undefined);
    for (const page of journal.images.keys()) yield* valueChains(view, page, label, limit);
  }
  if (live === file) return;
  const region: Region = wal !== undefined && wal.frames > 0 ? 'db-under-wal' : 'db-under-journal';
  const label: StateLabel = { region, generation: 0, commit: 0, budget: budgetFor(file.view.pageCount), proof: () => 'pointer' };
  for (const page of live.view.overlay.keys()) yield* valueChains(file.view, page, label, limit);
}
