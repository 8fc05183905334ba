import type { EventMark, Events } from './events.js';
import type { RowIndex } from './row-index.js';
import { nameFinalPrimaries } from './text-matches.js';

/**
 * A conversation that was taken over into another store lies in both, under two ids that a marker joins. What was taken over
 * is a copy of what the newer store holds: a call by its id, everything else by its words, the first with the first. What the
 * newer store lacks stays a row of its own.
 */
export function pairMigrated({ marks, links }: Events, index: Pick<RowIndex, 'unit'>, primaries: Int32Array): void {
  if (links.length === 0) return;
  const newer = new Map(links.map(({ from, to }) => [from, to]));
  const targets = new Set(newer.values());
  const ordered = marks
    .filter(({ row, echo }) => echo !== 'retold' && (primaries[row] ?? -1) < 0)
    .sort((a, b) => (index.unit[a.row] ?? 0) - (index.unit[b.row] ?? 0) || a.row - b.row);
  const byCall = new Map<string, number[]>();
  const byWords = new Map<string, number[]>();
  for (const mark of ordered) {
    if (mark.echo !== '' || !targets.has(mark.session)) continue;
    if (mark.call !== 0n) add(byCall, callKey(mark, mark.session), mark.row);
    if (mark.what !== 0n) add(byWords, wordsKey(mark, mark.session), mark.row);
  }
  const taken = new Set<number>();
  for (const mark of ordered) {
    const session = newer.get(mark.session);
    if (mark.echo !== 'migrated' || session === undefined) continue;
    const found =
      (mark.call === 0n ? undefined : next(byCall.get(callKey(mark, session)), taken)) ??
      (mark.what === 0n ? undefined : next(byWords.get(wordsKey(mark, session)), taken));
    if (found === undefined) continue;
    taken.add(found);
    primaries[mark.row] = found;
  }
  nameFinalPrimaries(primaries);
}

const callKey = ({ kind, call }: EventMark, session: bigint) => `${kind} ${session} ${call}`;
const wordsKey = ({ kind, what }: EventMark, session: bigint) => `${kind} ${session} ${what}`;

function add(map: Map<string, number[]>, key: string, row: number): void {
  const rows = map.get(key);
  if (rows === undefined) map.set(key, [row]);
  else rows.push(row);
}

/** The first row that is no original of another one yet. */
function next(rows: number[] | undefined, taken: ReadonlySet<number>): number | undefined {
  while (rows?.[0] !== undefined && taken.has(rows[0])) rows.shift();
  return rows?.[0];
}
