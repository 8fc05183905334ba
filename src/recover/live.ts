import type { Cell } from './btree.js';
import { type Chain, carve } from './carved.js';
import { entryKeyOf, factsOf, linksOf, sha256Of, textKey, textKeysOf, transcriptText } from './keys.js';
import { hidesText } from './marks.js';
import { cellName, ROLE, tableOf } from './roles.js';
import { salvage } from './salvage.js';
import { smallRowsIn } from './small-rows.js';
import { budgetFor, type StateLabel, valueChains } from './state-chains.js';
import { openStates, type State } from './states.js';
import type { LiveIndex, RecoveryInput, RecoveryOptions } from './types.js';

const CHAIN_LIMIT = 256 << 20;
/** A pass over all values for a few marks costs a seventh of taking them apart: when more is asked, they are. */
const MOST_MARKS = 12;
const MARKS_A_PASS = 4;
/** The id and directory of a conversation stand at its beginning. */
const HEAD_BYTES = 8192;

interface Known extends LiveIndex {
  readonly entries: Map<string, string>;
  readonly owners: Map<string, string>;
  readonly texts: Set<string>;
  readonly conversations: Map<string, string>;
  readonly rows: Set<string>;
}

const nothingKnown = (): Known => ({
  // All of it is read already.
  expect() {},
  entries: new Map(),
  owners: new Map(),
  texts: new Set(),
  conversations: new Map(),
  rows: new Set(),
});

/**
 * What the rows hold that a reader of the database sees, taken from the same bytes: entries, texts, conversations, small rows.
 * `merged` is the state with the log applied or the hot journal rolled back; `file` the main file as it is.
 */
export function liveIndexOf(input: RecoveryInput, state: 'merged' | 'file' = 'merged', options: RecoveryOptions = {}): LiveIndex {
  return indexOf(input, stateOf(input, state), options.chainLimit ?? CHAIN_LIMIT);
}

/** A log or journal by itself has no rows that anything reads: all of it is recovered. */
function stateOf(input: RecoveryInput, state: 'merged' | 'file'): State | undefined {
  if (input.main === undefined) return undefined;
  const states = openStates(input);
  return state === 'file' ? states.file : states.live;
}

/** `limit`: how much of each value is read. */
function indexOf(input: RecoveryInput, state: State | undefined, limit: number): Known {
  const known = nothingKnown();
  if (state === undefined) return known;
  const map = state.map();
  for (let page = 1; page <= state.view.pageCount; page++) {
    if (map.roles[page] === ROLE.leaf) for (const row of smallRowsIn(state.view, map, page, 'live')) known.rows.add(row.key);
  }
  for (const chain of liveChains(state, limit)) learnValue(known, carve(input, chain, limit).text, chain.head?.key ?? '');
  return known;
}

/** All conversation values of a state, in the order of their pages. */
function* liveChains({ view, map: mapOf }: State, limit: number): Generator<Chain> {
  const map = mapOf();
  const budget = budgetFor(view.pageCount);
  const label: StateLabel = { region: 'unallocated', generation: 0, commit: 0, budget, proof: () => 'same-commit' };
  for (let page = 1; page <= view.pageCount; page++) {
    if (map.roles[page] !== ROLE.leaf || !tableOf(map, page).startsWith('conversations')) continue;
    yield* valueChains(view, page, label, limit, ({ start }: Cell) => !map.broken.has(cellName(page, start)));
  }
}

/**
 * The same, read when it is first asked for, and only as far as the answer needs: a value without any of the marks that were
 * announced is searched, but not taken apart. Most databases hold little that has to be compared with their rows.
 */
export function lazyLiveIndex(input: RecoveryInput, options: RecoveryOptions = {}): LiveIndex {
  const limit = options.chainLimit ?? CHAIN_LIMIT;
  let opened: { readonly state: State | undefined } | undefined;
  const state = () => {
    opened ??= { state: stateOf(input, 'merged') };
    return opened.state;
  };
  // Old copies of heads lie in the gaps of nearly every page: they alone are no reason to read all values.
  let heads: LiveIndex | undefined;
  const beginnings = () => {
    heads ??= indexOf(input, state(), HEAD_BYTES);
    return heads;
  };
  let known = nothingKnown();
  let whole = false;
  const learned = new Set<number>();
  const searched = new Set<string>();
  let passes = 0;
  let most: number | undefined;
  return {
    expect(marks) {
      if (whole) return;
      const news = new Set<string>();
      for (const mark of marks) {
        if (mark === undefined) whole = true;
        else if (!searched.has(mark)) news.add(mark);
      }
      if (news.size === 0 && !whole) return;
      for (const mark of news) searched.add(mark);
      passes += 1;
      most ??= options.mostMarks ?? (mayHoldMuch(input, state()) ? 0 : MOST_MARKS);
      whole ||= searched.size > most || passes * MARKS_A_PASS > most;
      if (whole) known = indexOf(input, state(), limit);
      else learnMarked(input, state(), limit, [...news], known, learned);
    },
    get entries() {
      return known.entries;
    },
    get owners() {
      return known.owners;
    },
    get texts() {
      return known.texts;
    },
    get conversations() {
      return beginnings().conversations;
    },
    get rows() {
      return beginnings().rows;
    },
  };
}

/** Whether there is more to compare than what lies in the gaps of pages. */
function mayHoldMuch({ wal, journal }: RecoveryInput, state: State | undefined): boolean {
  return (wal?.size ?? 0) > 0 || (journal?.size ?? 0) > 0 || (state?.map().freePages ?? 0) > 0;
}

/** Takes apart each value that holds one of the marks. `learned`: numbers of those that were. */
function learnMarked(
  input: RecoveryInput,
  state: State | undefined,
  limit: number,
  marks: readonly string[],
  known: Known,
  learned: Set<number>,
): void {
  if (state === undefined) return;
  let number = 0;
  for (const chain of liveChains(state, limit)) {
    number += 1;
    if (learned.has(number)) continue;
    const { text } = carve(input, chain, limit);
    if (!marks.some((mark) => text.includes(mark)) && !hidesText(text)) continue;
    learned.add(number);
    learnValue(known, text, chain.head?.key ?? '');
  }
}

function learnValue(known: Known, text: Buffer, directory: string): void {
  const own = (key: string, id: string) => known.owners.set(key, (known.owners.get(key) ?? id) === id ? id : '');
  let id = '';
  for (const { kind, value, start, end } of salvage(text)) {
    if (kind === 'head' && typeof value === 'string') {
      id = value;
      known.conversations.set(id, directory);
    } else if (kind === 'entry') {
      const facts = factsOf(value);
      const sha256 = sha256Of(text.subarray(start, end));
      const key = entryKeyOf(facts, sha256);
      // Copies in snapshots may differ from the entry in the history: then any bytes count as live.
      known.entries.set(key, (known.entries.get(key) ?? sha256) === sha256 ? sha256 : '');
      own(key, id);
      for (const link of linksOf(facts)) own(link, id);
      for (const name of textKeysOf(facts)) known.texts.add(name);
    } else if (typeof value === 'string' && kind === 'transcript') {
      const line = transcriptText(value);
      known.texts.add(textKey(line.user ? 'prompt' : 'answer', line.text));
    } else if (typeof value === 'string' && (kind === 'summary' || kind === 'prompt')) known.texts.add(textKey(kind, value));
  }
}
