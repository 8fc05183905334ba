import { type Carved, type Chain, carve } from './carved.js';
import { staleChains } from './chains.js';
import { add, type Candidate, type Collector, collect, createCollector, UNTIED } from './collect.js';
import { proveByCopies } from './copies.js';
import { sha256Of } from './keys.js';
import { layeredChains, walChains } from './logs.js';
import { handOut } from './result.js';
import { ROLE } from './roles.js';
import { salvage } from './salvage.js';
import { settle } from './settle.js';
import type { SmallRow } from './shell-row.js';
import { smallRowsIn } from './small-rows.js';
import { type StalePages, scanStale } from './stale.js';
import { openStates, type State, type States } from './states.js';
import { summarize } from './summary.js';
import type { LiveIndex, RecoveryInput, RecoveryOptions, RecoveryResult, Region } from './types.js';
import type { Image, PageView } from './view.js';

const CHAIN_LIMIT = 256 << 20;
const ENTRY_LIMIT = 1_000_000;

/**
 * Recovers what the files hold besides the live rows. Damaged input gives less, never an exception; the work is linear in the
 * size of the files. Sources that read small pieces cheaply are best: pages are read where the chains lead.
 */
export function recover(input: RecoveryInput, live: LiveIndex, options: RecoveryOptions = {}): RecoveryResult {
  const limit = options.chainLimit ?? CHAIN_LIMIT;
  const states = openStates(input);
  const collector = createCollector(live, options.entryLimit ?? ENTRY_LIMIT);
  takeChains(input, collector, walChains(input, states, limit), limit);
  takeChains(input, collector, layeredChains(states, limit), limit);
  const scanned = takeState(input, collector, states.live, limit);
  // The file beneath a log is an older state with a freelist of its own.
  if (states.file !== states.live) takeState(input, collector, states.file, limit);
  proveByCopies(input, collector, states.live);
  const settled = settle(collector);
  return { summary: summarize(states, collector, scanned, settled), entries: () => handOut(input, settled) };
}

function takeState(input: RecoveryInput, collector: Collector, { view, map }: State, limit: number): StalePages {
  const pages = map();
  const stale = scanStale(view, pages);
  takeChains(input, collector, staleChains(view, pages, stale, limit), limit);
  takeSmallRows(collector, { view, map });
  return stale;
}

function takeChains(input: RecoveryInput, collector: Collector, chains: Iterable<Chain>, limit: number): void {
  for (const chain of chains) {
    const carved: Carved = carve(input, chain, limit);
    const found = salvage(carved.text);
    if (found.length > 0) collect(collector, carved, found);
  }
}

function takeSmallRows(collector: Collector, { view, map }: State): void {
  const pages = map();
  for (let page = 1; page <= view.pageCount; page++) {
    const role = pages.roles[page];
    const image = view.locate(page);
    if (image === undefined || role === ROLE.overflow || role === ROLE.pointerMap || role === ROLE.lockByte) continue;
    const region: Region = role === ROLE.freeLeaf ? 'free-btree' : role === ROLE.leaf ? 'unallocated' : 'unowned';
    for (const row of smallRowsIn(view, pages, page, 'dead')) {
      collector.runs += 1;
      add(collector, rowCandidate(row, view, page, image, region, collector.runs));
    }
  }
}

function rowCandidate(row: SmallRow, view: PageView, page: number, image: Image, region: Region, run: number): Candidate {
  const length = row.to - row.from;
  return {
    ...UNTIED,
    kind: row.kind,
    key: row.key,
    sha256: sha256Of(view.part(page, row.from, length)),
    confidence: row.sound ? 'complete' : 'probable',
    region,
    slices: [{ file: image.file, offset: image.offset + row.from, length }],
    pages: [page],
    joins: [],
    doubts: 0,
    stop: 'end',
    generation: 0,
    commit: 0,
    around: row.kind === 'shell' ? {} : { key: row.name, size: length, rule: row.rule },
    problems: row.sound ? [] : ['the header of the cell is overwritten'],
    run,
    time: Number.NaN,
    value: row.kind === 'shell' ? row.value : undefined,
    copies: 0,
    variants: [],
  };
}
