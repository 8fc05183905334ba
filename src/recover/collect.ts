import { type Carved, isStrict, joinsOf, segmentAt, slicesOf } from './carved.js';
import { checkEntry, gradeEntry, gradePart, RANK } from './checks.js';
import type { Found } from './found.js';
import { type EntryFacts, entryKeyOf, factsOf, linksOf, sha256Of, textKey, textKeysOf, transcriptText } from './keys.js';
import { entryMarks, partMarks } from './marks.js';
import { salvageParts } from './parts.js';
import { proveByRepeats } from './repeats.js';
import type { Confidence, Join, LiveIndex, Provenance, RecoveredKind } from './types.js';

/** A recovered object without its content, which is read again when it is handed out. */
export interface Candidate extends Provenance, Ties {
  readonly key: string;
  /** Joins may be proved later, which raises the grade. */
  confidence: Confidence;
  joins: readonly Join[];
  /** Checks that failed. */
  readonly doubts: number;
  /** Objects of one number follow each other in one chain without a join in doubt. */
  readonly run: number;
  /** Of its request or message, in Unix milliseconds; NaN for none. */
  readonly time: number;
  /** Content that is kept because the slices alone do not give it: columns of a shell row. */
  readonly value: unknown;
  copies: number;
  variants: string[];
}

/** What ties an object to others and to its conversation. */
interface Ties {
  /** Texts and ids by which it is compared and tied to a conversation. */
  texts: readonly string[];
  links: readonly string[];
  /** Conversation and directory by the head of its chain; empty where the head is gone. */
  readonly id: string;
  readonly directory: string;
  /** Working directory that the object itself names. */
  readonly cwd: string;
  /** Found out at the end, from all candidates together. */
  conversation: string;
  project: string;
  possible: readonly string[];
}

const NONE: readonly string[] = [];

/** A candidate that is not compared with live rows yet. */
interface Waiting {
  readonly candidate: Candidate;
  readonly marks: readonly (string | undefined)[];
}

/** So many wait at most: they hold memory, copies or not. */
const MOST_WAITING = 256;

export interface Collector {
  readonly live: LiveIndex;
  readonly waiting: Waiting[];
  readonly limit: number;
  /** By kind and key; several where copies of one key differ. */
  readonly kept: Map<string, Candidate[]>;
  /** Run numbers that hold a live entry, and its conversation: they tell whose older version a chain is. */
  readonly liveRuns: Map<number, string>;
  readonly livePages: Set<number>;
  /** Texts of complete entries: parts that say the same are not kept. */
  readonly known: Set<string>;
  count: number;
  runs: number;
  superseded: number;
  equal: number;
  dropped: number;
}

export function createCollector(live: LiveIndex, limit: number): Collector {
  return {
    live,
    waiting: [],
    limit,
    kept: new Map(),
    liveRuns: new Map(),
    livePages: new Set(),
    known: new Set(),
    count: 0,
    runs: 0,
    superseded: 0,
    equal: 0,
    dropped: 0,
  };
}

/** Parts of an entry or a value. */
export const PARTS: ReadonlySet<RecoveredKind> = new Set(['prompt', 'assistant', 'tool_result', 'transcript', 'summary']);

/** Takes what was found in one carved text. */
export function collect(collector: Collector, carved: Carved, found: readonly Found[]): void {
  const { chain, starts, whole } = carved;
  const doubts = starts.filter((_, i) => i > 0 && !whole && !isStrict(chain.segments[i]?.proof ?? 'whole'));
  const firstRun = collector.runs + 1;
  collector.runs += doubts.length + 1;
  let id = '';
  let idAt = 0;
  let doubt = 0;
  for (const object of found) {
    while (doubt < doubts.length && (doubts[doubt] ?? 0) <= object.start) doubt += 1;
    if (object.kind === 'head') {
      id = typeof object.value === 'string' ? object.value : '';
      idAt = doubt;
    }
    const place = { id, sure: id === '' || idAt === doubt, run: firstRun + doubt };
    const waiting = candidateOf(carved, object, place);
    collector.waiting.push(waiting);
    if (object.kind === 'entry' && waiting.candidate.confidence === 'fragment') addParts(collector, carved, object, place);
  }
  if (collector.waiting.length >= MOST_WAITING) addWaiting(collector);
}

/** Takes in what was collected. The live rows are asked about all of it at once: each question may mean to read them all. */
export function addWaiting(collector: Collector): void {
  const waiting = collector.waiting.splice(0);
  collector.live.expect(waiting.flatMap(({ marks }) => marks));
  for (const { candidate } of waiting) add(collector, candidate);
}

/** An entry that was joined wrongly, or may have been: a part of it that lies between the joins is as good as ever. */
function addParts(collector: Collector, carved: Carved, { start, end }: Found, place: Place): void {
  for (const part of salvageParts(carved.text, start, end, false)) {
    const waiting = candidateOf(carved, part, place);
    if (waiting.candidate.confidence === 'partial') collector.waiting.push(waiting);
  }
}

/** What the text before an object says of it. */
interface Place {
  readonly id: string;
  /** No join in doubt lies between the head that names the conversation and the object. */
  readonly sure: boolean;
  readonly run: number;
}

function candidateOf(carved: Carved, object: Found, { id, sure, run }: Place): Waiting {
  const { chain, starts, text } = carved;
  const placed = joinsOf(carved, object.start, object.end);
  const facts = object.kind === 'entry' ? factsOf(object.value) : undefined;
  const bytes = text.subarray(object.start, object.end);
  const joins = facts === undefined ? placed.joins : proveByRepeats(bytes, object.value, facts, placed.joins);
  const sha256 = sha256Of(bytes);
  const checks = facts === undefined ? { hard: [], weak: [] } : checkEntry(facts);
  const problems = [...checks.hard, ...checks.weak];
  if (!sure) problems.push('conversation id rests on a join that only a pointer vouches for');
  const key = keyOf(object, facts, sha256, id);
  const part = facts === undefined ? partFacts(object.kind, object.value) : undefined;
  // Field by field: an object that is made by spreading another takes several times the memory.
  const candidate: Candidate = {
    kind: object.kind,
    key,
    sha256,
    confidence: facts === undefined ? gradeOf(object, joins) : gradeEntry(joins, checks),
    region: chain.segments[segmentAt(starts, object.start)]?.region ?? 'unowned',
    slices: slicesOf(carved, object.start, object.end),
    pages: placed.pages,
    joins,
    doubts: checks.hard.length + checks.weak.length,
    stop: chain.stop,
    generation: chain.generation,
    commit: chain.commit,
    around: object.around,
    problems,
    texts: facts === undefined ? textsOf(object, part) : textKeysOf(facts),
    links: facts === undefined ? (part === undefined ? [] : linksOf(part)) : linksOf(facts),
    cwd: facts?.directory ?? object.around.directory ?? '',
    id,
    directory: id === '' ? '' : (chain.head?.key ?? ''),
    run,
    time: facts === undefined ? Number.NaN : timeOf(facts),
    value: undefined,
    conversation: '',
    project: '',
    possible: NONE,
    copies: 0,
    variants: [],
  };
  return { candidate, marks: facts === undefined ? partMarks(object.kind, object.value, part) : entryMarks(key, facts) };
}

function timeOf({ metadata, timestamp }: EntryFacts): number {
  const start = metadata.request_start_timestamp_ms;
  return typeof start === 'number' ? start : Date.parse(timestamp);
}

function gradeOf({ kind }: Found, joins: readonly Join[]): Confidence {
  if (kind === 'fragment') return 'fragment';
  return kind === 'head' && joins.length === 0 ? 'complete' : gradePart(joins);
}

function keyOf({ kind, value }: Found, facts: EntryFacts | undefined, sha256: string, id: string): string {
  if (facts !== undefined) return entryKeyOf(facts, sha256);
  if (kind === 'head') return `head:${id}`;
  return kind === 'transcript' && typeof value === 'string' ? textKey(kind, transcriptText(value).text) : `bytes:${sha256}`;
}

function textsOf({ kind, value }: Found, facts: EntryFacts | undefined): string[] {
  if (typeof value === 'string') {
    if (kind === 'prompt' || kind === 'summary') return [textKey(kind, value)];
    if (kind !== 'transcript') return [];
    const line = transcriptText(value);
    return [textKey(line.user ? 'prompt' : 'answer', line.text)];
  }
  return facts === undefined ? [] : textKeysOf(facts);
}

/** A part as the entry it would be the only part of. */
function partFacts(kind: RecoveredKind, value: unknown): EntryFacts | undefined {
  if (kind === 'assistant') return factsOf({ assistant: value });
  return kind === 'tool_result' ? factsOf({ user: { content: { ToolUseResults: { tool_use_results: [value] } } } }) : undefined;
}

const FREE = /^(freelist|free-btree|overflow-stale|unowned)/;

/** Keeps the better of two copies; copies that differ and are as good are kept side by side. */
export function add(collector: Collector, candidate: Candidate): void {
  const { live } = collector;
  if (isLive(collector, candidate)) {
    collector.superseded += 1;
    // Only entries have owners; a head alone must not make all live values be read.
    const owner = candidate.kind === 'entry' ? live.owners.get(candidate.key) : undefined;
    if (owner !== undefined && !collector.liveRuns.has(candidate.run)) collector.liveRuns.set(candidate.run, owner);
    if (FREE.test(candidate.region)) for (const page of candidate.pages) collector.livePages.add(page);
    return;
  }
  const { kind, confidence, texts } = candidate;
  if (PARTS.has(kind) && texts.length > 0 && texts.every((text) => collector.known.has(text))) {
    collector.equal += 1;
    return;
  }
  if (collector.count >= collector.limit) {
    collector.dropped += 1;
    return;
  }
  if (kind === 'entry' && confidence === 'complete') for (const text of texts) collector.known.add(text);
  const place = `${candidate.kind}\u0000${candidate.key}`;
  const copies = collector.kept.get(place);
  if (copies === undefined) {
    collector.kept.set(place, [candidate]);
    collector.count += 1;
    return;
  }
  const same = copies.findIndex((copy) => copy.sha256 === candidate.sha256 || candidate.kind === 'head' || candidate.kind === 'transcript');
  const known = copies[same];
  if (known !== undefined) {
    collector.equal += 1;
    const better =
      RANK[candidate.confidence] < RANK[known.confidence] ||
      (RANK[candidate.confidence] === RANK[known.confidence] && known.id === '' && candidate.id !== '');
    if (better) copies[same] = Object.assign(candidate, { copies: known.copies + 1, variants: known.variants });
    else known.copies += 1;
    return;
  }
  if (copies.length >= 8) {
    collector.dropped += 1;
    return;
  }
  copies.push(candidate);
  collector.count += 1;
}

/**
 * An entry that a live row holds is not recovered. Only a version with other bytes and no doubtful join says something new;
 * with a doubtful one it is a live entry with a wrong end.
 */
function isLive({ live }: Collector, candidate: Candidate): boolean {
  if (candidate.kind === 'entry') {
    const bytes = live.entries.get(candidate.key);
    if (bytes === undefined) return false;
    if (bytes !== '' && bytes !== candidate.sha256 && candidate.confidence === 'complete') {
      candidate.variants.push(bytes);
      return false;
    }
    return true;
  }
  if (candidate.kind === 'head') return live.conversations.has(candidate.key.slice(5));
  if (candidate.kind === 'shell' || candidate.kind === 'credential' || candidate.kind === 'state') return live.rows.has(candidate.key);
  return candidate.texts.length > 0 && candidate.texts.every((text) => live.texts.has(text));
}
