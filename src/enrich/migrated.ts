import type { EventMark, Events } from './events.js';
import type { RowIndex } from './row-index.js';
import { nameFinalPrimaries } from './text-matches.js';

type Index = Pick<RowIndex, 'unit' | 'ms'>;

/** A copy that is dated later than that bears the time of the migration, not that of the event. */
const LATER_MS = 120_000;

/**
 * A conversation that was taken over into another store lies in both, under two ids that a marker joins. What was taken over
 * is a copy of what the newer store holds: a call by its id, what was said by its words, the first with the first. What the
 * newer store lacks stays a row of its own, and where only the older one tells when it happened, the newer one has the copy.
 */
export function pairMigrated({ marks, links }: Events, index: Index, primaries: Int32Array): void {
  if (links.length === 0) return;
  const newer = new Map(links.map(({ from, to }) => [from, to]));
  const targets = new Set(newer.values());
  const ordered = marks
    .filter(({ row, echo }) => echo !== 'retold' && (primaries[row] ?? -1) < 0)
    .sort((a, b) => (index.unit[a.row] ?? 0) - (index.unit[b.row] ?? 0) || a.row - b.row);
  const taken = new Map<string, number[]>();
  for (const mark of ordered) {
    const key = mark.echo === '' && targets.has(mark.session) ? keyOf(mark, mark.session) : undefined;
    if (key === undefined) continue;
    const rows = taken.get(key);
    if (rows === undefined) taken.set(key, [mark.row]);
    else rows.push(mark.row);
  }
  const used = new Map<string, number>();
  for (const mark of ordered) {
    const session = mark.echo === 'migrated' ? newer.get(mark.session) : undefined;
    const key = session === undefined ? undefined : keyOf(mark, session);
    if (key === undefined) continue;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const other = taken.get(key)?.[nth];
    if (other === undefined) continue;
    const [older, newest] = [index.ms[mark.row] ?? Number.NaN, index.ms[other] ?? Number.NaN];
    // Not true either where one of them has no time.
    if (newest - older > LATER_MS) primaries[other] = mark.row;
    else primaries[mark.row] = other;
  }
  nameFinalPrimaries(primaries);
}

/** Two calls of one command are two events: only what was said is known by its words. */
function keyOf({ kind, call, what }: EventMark, session: bigint): string | undefined {
  if (kind === 'prompt' || kind === 'assistant') return `${kind} ${session} ${what}`;
  return call === 0n ? undefined : `${kind} ${session} ${call}`;
}
