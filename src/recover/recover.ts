import { type Carved, type Chain, carve } from './carved.js';
import { staleChains } from './chains.js';
import { addWaiting, type Collector, collect, createCollector } from './collect.js';
import { proveByCopies } from './copies.js';
import { layeredChains, walChains } from './logs.js';
import { takePieces } from './pieces.js';
import { handOut } from './result.js';
import { salvage } from './salvage.js';
import { settle } from './settle.js';
import { type StalePages, scanStale } from './stale.js';
import { brokenChains } from './state-chains.js';
import { openStates, type State, type States } from './states.js';
import { summarize } from './summary.js';
import type { LiveIndex, RecoveryInput, RecoveryOptions, RecoveryResult } from './types.js';

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
  takeChains(input, collector, brokenChains(states.live.view, states.live.map(), limit), limit);
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
  takePieces(collector, { view, map });
  return stale;
}

function takeChains(input: RecoveryInput, collector: Collector, chains: Iterable<Chain>, limit: number): void {
  for (const chain of chains) {
    const carved: Carved = carve(input, chain, limit);
    const found = salvage(carved.text);
    if (found.length > 0) collect(collector, carved, found);
  }
  addWaiting(collector);
}
