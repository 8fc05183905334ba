import { RANK } from './checks.js';
import { type Candidate, type Collector, PARTS } from './collect.js';
import { ownerMarks } from './marks.js';
import { namePossible } from './sessions.js';

const NONE: readonly string[] = [];

/** The last step: variants are weighed, parts that a whole entry holds are left out, conversations are found by shared ids. */
export function settle(collector: Collector): Candidate[] {
  const kept: Candidate[] = [];
  for (const copies of collector.kept.values()) kept.push(...weigh(collector, copies));
  const { known } = collector;
  for (const { kind, confidence, texts } of kept) {
    if (kind === 'entry' && RANK[confidence] <= 1) for (const text of texts) known.add(text);
  }
  const left = kept.filter((candidate) => keepPart(collector, known, candidate));
  // Nothing found: the live rows need not be read at all.
  if (left.length === 0) return left;
  const owners = ownersOf(collector, left);
  const directories = new Map(collector.live.conversations);
  for (const { id, directory } of left) if (id !== '' && directory !== '' && !directories.has(id)) directories.set(id, directory);
  const places = new Map<number, string>();
  for (const { run, cwd } of left) if (cwd !== '') places.set(run, (places.get(run) ?? cwd) === cwd ? cwd : '');
  for (const candidate of left) {
    const conversation = candidate.id || owners.byRun.get(candidate.run) || '';
    candidate.conversation = conversation;
    candidate.project = candidate.directory || directories.get(conversation) || candidate.cwd || places.get(candidate.run) || '';
    candidate.texts = NONE;
    candidate.links = NONE;
  }
  namePossible(left, collector.live.conversations);
  return left.sort(byPlace);
}

/** Of several versions the better grade wins; equal grades stay, and each names the others. */
function weigh(collector: Collector, copies: readonly Candidate[]): Candidate[] {
  if (copies.length < 2) return [...copies];
  const best = Math.min(...copies.map((copy) => RANK[copy.confidence]));
  for (const copy of copies) {
    for (const other of copies) if (other !== copy && !copy.variants.includes(other.sha256)) copy.variants.push(other.sha256);
  }
  const left = copies.filter((copy) => RANK[copy.confidence] === best);
  collector.count -= copies.length - left.length;
  return left;
}

/** A part says something new only when no live row, whole entry or better part says the same. */
function keepPart(collector: Collector, known: Set<string>, { kind, texts, confidence }: Candidate): boolean {
  if (!PARTS.has(kind) || texts.length === 0) return true;
  if (texts.every((text) => known.has(text))) {
    collector.equal += 1;
    return false;
  }
  if (confidence === 'partial' && kind !== 'transcript') for (const text of texts) known.add(text);
  return true;
}

/** Conversation of each run: by the live entries in it, by headed copies of its entries, by ids of calls and results. */
function ownersOf(collector: Collector, candidates: readonly Candidate[]): { readonly byRun: ReadonlyMap<number, string> } {
  const { live } = collector;
  live.expect(candidates.flatMap(({ confidence, links }) => (confidence === 'fragment' ? [] : ownerMarks(links))));
  const byKey = new Map<string, string>();
  const ownerOf = (key: string) => byKey.get(key) ?? live.owners.get(key);
  const learn = (key: string, id: string) => {
    const known = ownerOf(key);
    byKey.set(key, known === undefined || known === id ? id : '');
  };
  const byRun = new Map(collector.liveRuns);
  for (let round = 0; round < 3; round++) {
    for (const { id, run, key, links } of candidates) {
      const owner = id || byRun.get(run) || '';
      if (owner === '') continue;
      learn(key, owner);
      for (const link of links) learn(link, owner);
    }
    const votes = new Map<number, string>();
    for (const { run, key, links, confidence } of candidates) {
      if (byRun.has(run) || confidence === 'fragment') continue;
      for (const name of [key, ...links]) {
        const owner = ownerOf(name);
        if (owner === undefined || owner === '') continue;
        const vote = votes.get(run);
        votes.set(run, vote === undefined || vote === owner ? owner : '');
      }
    }
    let news = 0;
    for (const [run, owner] of votes) {
      if (owner === '') continue;
      byRun.set(run, owner);
      news += 1;
    }
    if (news === 0) break;
  }
  return { byRun };
}

const FILES = { journal: 0, wal: 1, main: 2 };
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Conversation by conversation, in the order of their times; what has none follows, by log state and place. */
function byPlace(a: Candidate, b: Candidate): number {
  const x = a.slices[0];
  const y = b.slices[0];
  if (x === undefined || y === undefined) return 0;
  const known = compare(a.conversation, b.conversation) || compare(a.project, b.project);
  const dated = Number(Number.isNaN(a.time)) - Number(Number.isNaN(b.time)) || (Number.isNaN(a.time) ? 0 : a.time - b.time);
  const state = a.generation - b.generation || a.commit - b.commit;
  return known || dated || state || FILES[x.file] - FILES[y.file] || a.run - b.run || x.offset - y.offset;
}
