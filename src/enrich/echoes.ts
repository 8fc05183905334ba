import type { EventKind, EventMark } from './events.js';
import type { RowIndex } from './row-index.js';
import { nameFinalPrimaries } from './text-matches.js';

type Index = Pick<RowIndex, 'unit' | 'ms' | 'rank'>;

/** A clock of the hook and one of the program, and the time between the end of a tool and its record, may lie that far apart. */
const NEAR_MS = 120_000;
/** How many neighbours in time are looked at; more of the same within two minutes cannot be told apart. */
const LOOKED_AT = 16;

interface Told extends EventMark {
  readonly unit: number;
  /** NaN for an undated row. */
  readonly ms: number;
}

/**
 * Hook captures and logs of commands tell again of calls, prompts and answers of a conversation, without an id that would join
 * them. Their row is marked as a copy where only one row can be meant: the same thing said or run in the same home, in no other
 * session, with no other exit code, and each the nearest in time to the other; without times, where both stores tell of the
 * session equally often. Whatever is left over stays a row of its own.
 */
export function pairEchoes(events: readonly EventMark[], index: Index, primaries: Int32Array): void {
  if (!events.some(isEcho)) return;
  for (const group of groupsOf(events, index, primaries)) {
    const known = group.filter((told) => !isEcho(told));
    for (const rows of unitsOf(group, index)) {
      pairUnit(rows, known, primaries);
      known.push(...rows);
    }
  }
  nameFinalPrimaries(primaries);
}

/** Rows that say the same, where at least one of them is an echo and another could be its original. */
function groupsOf(events: readonly EventMark[], index: Index, primaries: Int32Array): Told[][] {
  const calls = new Map<string, bigint>();
  const callKey = ({ session, call }: EventMark) => `${session} ${call}`;
  for (const event of events) {
    if (event.kind === 'tool_use' && event.call !== 0n && event.what !== 0n) calls.set(callKey(event), event.what);
  }
  const groups = new Map<EventKind, Map<bigint, Told[]>>();
  for (const event of events) {
    const what = event.what || (calls.get(callKey(event)) ?? 0n);
    if (what === 0n || (primaries[event.row] ?? -1) >= 0) continue;
    const ofKind = groups.get(event.kind) ?? new Map<bigint, Told[]>();
    groups.set(event.kind, ofKind);
    const told = { ...event, unit: index.unit[event.row] ?? 0, ms: index.ms[event.row] ?? Number.NaN };
    const group = ofKind.get(what);
    if (group === undefined) ofKind.set(what, [told]);
    else group.push(told);
  }
  return [...groups.values()].flatMap((ofKind) =>
    [...ofKind.values()].filter((group) => group.length > 1 && group.some(isEcho)).map((group) => group.sort(byPlace)),
  );
}

/** Echoes by the file they stand in, the one that tells most first. */
function unitsOf(group: readonly Told[], index: Index): Told[][] {
  const units = new Map<number, Told[]>();
  for (const told of group) {
    if (!isEcho(told)) continue;
    const rows = units.get(told.unit);
    if (rows === undefined) units.set(told.unit, [told]);
    else rows.push(told);
  }
  const rank = ([first]: readonly Told[]) => (first === undefined ? 0 : (index.rank[first.row] ?? 0));
  return [...units.values()].sort((a, b) => rank(a) - rank(b));
}

/** A row of another file may itself be a copy: then it stands for its primary. Each primary is told of once by a file. */
function pairUnit(rows: readonly Told[], known: readonly Told[], primaries: Int32Array): void {
  const taken = new Set<number>();
  const left = new Set(rows);
  const pair = (row: Told, other: Told) => {
    const primary = primaryOf(other, primaries);
    if (taken.has(primary)) return;
    taken.add(primary);
    left.delete(row);
    primaries[row.row] = primary;
  };
  const dated = rows.filter(isDated).sort(byTime);
  const others = known.filter(isDated).sort(byTime);
  for (const row of dated) {
    const other = nearest(row, others);
    if (other !== undefined && nearest(other, dated) === row) pair(row, other);
  }
  for (const [session, open] of bySession(left)) {
    const meant = bySession(known).get(session) ?? [];
    const free = [...new Map(meant.map((other) => [primaryOf(other, primaries), other])).entries()].filter(
      ([primary]) => !taken.has(primary),
    );
    const fits = ([, other]: readonly [number, Told], i: number) => {
      const row = open[i];
      return row !== undefined && agree(row, other) && !(isDated(row) && isDated(other));
    };
    if (free.length !== open.length || !free.every(fits)) continue;
    for (const [i, row] of open.entries()) {
      const other = free[i]?.[1];
      if (other !== undefined) pair(row, other);
    }
  }
}

const primaryOf = ({ row }: Told, primaries: Int32Array) => ((primaries[row] ?? -1) >= 0 ? (primaries[row] ?? row) : row);

function bySession(rows: Iterable<Told>): Map<bigint, Told[]> {
  const sessions = new Map<bigint, Told[]>();
  for (const row of rows) {
    if (row.session === 0n) continue;
    const same = sessions.get(row.session);
    if (same === undefined) sessions.set(row.session, [row]);
    else same.push(row);
  }
  return sessions;
}

/** The nearest in time that may be the same event; `others` are sorted by time. */
function nearest(row: Told, others: readonly Told[]): Told | undefined {
  let low = 0;
  for (let high = others.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((others[middle]?.ms ?? 0) < row.ms) low = middle + 1;
    else high = middle;
  }
  let best: Told | undefined;
  for (let at = Math.max(0, low - LOOKED_AT); at < Math.min(others.length, low + LOOKED_AT); at++) {
    const other = others[at];
    if (other === undefined || !agree(row, other)) continue;
    const apart = Math.abs(other.ms - row.ms);
    if (apart <= NEAR_MS && (best === undefined || apart < Math.abs(best.ms - row.ms))) best = other;
  }
  return best;
}

function agree(a: Told, b: Told): boolean {
  const sessions = a.session === 0n || b.session === 0n || a.session === b.session;
  return sessions && (a.exitCode === null || b.exitCode === null || a.exitCode === b.exitCode);
}

const isEcho = ({ echo }: EventMark) => echo === 'retold';
const isDated = ({ ms }: Told) => !Number.isNaN(ms);
const byPlace = (a: Told, b: Told) => a.unit - b.unit || a.row - b.row;
const byTime = (a: Told, b: Told) => a.ms - b.ms || byPlace(a, b);
