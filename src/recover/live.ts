import type { Cell } from './btree.js';
import { carve } from './carved.js';
import { entryKeyOf, factsOf, linksOf, sha256Of, textKey, textKeysOf, transcriptText } from './keys.js';
import { cellName, ROLE, tableOf } from './roles.js';
import { salvage } from './salvage.js';
import { smallRowsIn } from './small-rows.js';
import { budgetFor, type StateLabel, valueChains } from './state-chains.js';
import { openStates } from './states.js';
import type { LiveIndex, RecoveryInput, RecoveryOptions } from './types.js';

const CHAIN_LIMIT = 256 << 20;
/** The id and directory of a conversation stand at its beginning. */
const HEAD_BYTES = 8192;

interface Known extends LiveIndex {
  readonly entries: Map<string, string>;
  readonly owners: Map<string, string>;
  readonly texts: Set<string>;
  readonly conversations: Map<string, string>;
  readonly rows: Set<string>;
}

/**
 * What the rows hold that a reader of the database sees, taken from the same bytes: entries, texts, conversations, small rows.
 * `merged` is the state with the log applied or the hot journal rolled back; `file` the main file as it is.
 */
export function liveIndexOf(input: RecoveryInput, state: 'merged' | 'file' = 'merged', options: RecoveryOptions = {}): LiveIndex {
  return indexOf(input, state, options.chainLimit ?? CHAIN_LIMIT);
}

/** `limit`: how much of each value is read. */
function indexOf(input: RecoveryInput, state: 'merged' | 'file', limit: number): LiveIndex {
  const known: Known = { entries: new Map(), owners: new Map(), texts: new Set(), conversations: new Map(), rows: new Set() };
  // A log or journal by itself has no rows that anything reads: all of it is recovered.
  if (input.main === undefined) return known;
  const states = openStates(input);
  const { view, map: mapOf } = state === 'file' ? states.file : states.live;
  const map = mapOf();
  const label: StateLabel = {
    region: 'unallocated',
    generation: 0,
    commit: 0,
    budget: budgetFor(view.pageCount),
    proof: () => 'same-commit',
  };
  for (let page = 1; page <= view.pageCount; page++) {
    if (map.roles[page] !== ROLE.leaf) continue;
    for (const row of smallRowsIn(view, map, page, 'live')) known.rows.add(row.key);
    if (!tableOf(map, page).startsWith('conversations')) continue;
    const readable = ({ start }: Cell) => !map.broken.has(cellName(page, start));
    for (const chain of valueChains(view, page, label, limit, readable))
      learnValue(known, carve(input, chain, limit).text, chain.head?.key ?? '');
  }
  return known;
}

/** The same, read when it is first asked for: most databases hold nothing that has to be compared with it. */
export function lazyLiveIndex(input: RecoveryInput, options: RecoveryOptions = {}): LiveIndex {
  let known: LiveIndex | undefined;
  let heads: LiveIndex | undefined;
  const index = () => {
    known ??= liveIndexOf(input, 'merged', options);
    return known;
  };
  // Old copies of heads lie in the gaps of nearly every page: they alone are no reason to read all values.
  const beginnings = () => {
    heads ??= known ?? indexOf(input, 'merged', HEAD_BYTES);
    return heads;
  };
  return {
    get entries() {
      return index().entries;
    },
    get owners() {
      return index().owners;
    },
    get texts() {
      return index().texts;
    },
    get conversations() {
      return beginnings().conversations;
    },
    get rows() {
      return beginnings().rows;
    },
  };
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
