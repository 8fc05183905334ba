import type { Primaries } from './column.js';
import type { EventKind, EventMark } from './events.js';

/** A clock of the hook and one of the program, and the time between the end of a tool and its record, may lie that far apart. */
const NEAR_MS = 120_000;
/** How many neighbours in time are looked at; more of the same within two minutes cannot be told apart. */
const LOOKED_AT = 16;

/**
 * Hook captures and logs of commands tell again of calls, prompts and answers of a conversation, without an id that would join
 * them. Their row is marked as a copy where only one row can be meant: the same thing said or run in the same home, in no other
 * session, with no other exit code, and each the nearest in time to the other; without times, where both stores tell of the
 * session equally often. Whatever is left over stays a row of its own.
 */
export function pairEchoes(events: readonly EventMark[], primaries: Primaries): void {
  for (const group of groupsOf(events, primaries)) {
    const known = group.filter((event) => !isEcho(event));
    for (const rows of unitsOf(group)) {
      pairUnit(rows, known, primaries);
      for (const row of rows) known.push(row);
    }
  }
}

/** Rows that say the same, where at least one of them is an echo and another could be its original. */
function groupsOf(events: readonly EventMark[], primaries: Primaries): EventMark[][] {
  const groups = new Map<EventKind, Map<bigint, EventMark[]>>();
  for (const event of events) {
    const { kind, what, row } = event;
    if (what === 0n || primaries.get(row) >= 0) continue;
    const ofKind = groups.get(kind) ?? new Map<bigint, EventMark[]>();
    groups.set(kind, ofKind);
    const group = ofKind.get(what);
    if (group === undefined) ofKind.set(what, [event]);
    else group.push(event);
  }
  return [...groups.values()].flatMap((ofKind) =>
    [...ofKind.values()].filter((group) => group.length > 1 && group.some(isEcho)).map((group) => group.sort(byPlace)),
  );
}

/** Echoes by the file they stand in, the one that tells most first. */
function unitsOf(group: readonly EventMark[]): EventMark[][] {
  const units = new Map<number, EventMark[]>();
  for (const told of group) {
    if (!isEcho(told)) continue;
    const rows = units.get(told.unit);
    if (rows === undefined) units.set(told.unit, [told]);
    else rows.push(told);
  }
  const rank = ([first]: readonly EventMark[]) => first?.rank ?? 0;
  return [...units.values()].sort((a, b) => rank(a) - rank(b));
}

/** A row of another file may itself be a copy: then it stands for its primary. Each primary is told of once by a file. */
function pairUnit(rows: readonly EventMark[], known: readonly EventMark[], primaries: Primaries): void {
  const taken = new Set<number>();
  const left = new Set(rows);
  const pair = (row: EventMark, other: EventMark) => {
    const primary = primaryOf(other, primaries);
    if (taken.has(primary)) return;
    taken.add(primary);
    left.delete(row);
    primaries.set(row.row, primary);
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
    const fits = ([, other]: readonly [number, EventMark], i: number) => {
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

const primaryOf = ({ row }: EventMark, primaries: Primaries) => (primaries.get(row) >= 0 ? primaries.get(row) : row);

function bySession(rows: Iterable<EventMark>): Map<bigint, EventMark[]> {
  const sessions = new Map<bigint, EventMark[]>();
  for (const row of rows) {
    if (row.session === 0n) continue;
    const same = sessions.get(row.session);
    if (same === undefined) sessions.set(row.session, [row]);
    else same.push(row);
  }
  return sessions;
}

/** The nearest in time that may be the same event; `others` are sorted by time. */
function nearest(row: EventMark, others: readonly EventMark[]): EventMark | undefined {
  let low = 0;
  for (let high = others.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((others[middle]?.ms ?? 0) < row.ms) low = middle + 1;
    else high = middle;
  }
  let best: EventMark | undefined;
  for (let at = Math.max(0, low - LOOKED_AT); at < Math.min(others.length, low + LOOKED_AT); at++) {
    const other = others[at];
    if (other === undefined || !agree(row, other)) continue;
    const apart = Math.abs(other.ms - row.ms);
    if (apart <= NEAR_MS && (best === undefined || apart < Math.abs(best.ms - row.ms))) best = other;
  }
  return best;
}

function agree(a: EventMark, b: EventMark): boolean {
  const sessions = a.session === 0n || b.session === 0n || a.session === b.session;
  return sessions && (a.exitCode === null || b.exitCode === null || a.exitCode === b.exitCode);
}

const isEcho = ({ echo }: EventMark) => echo === 'retold';
const isDated = ({ ms }: EventMark) => !Number.isNaN(ms);
const byPlace = (a: EventMark, b: EventMark) => a.row - b.row;
const byTime = (a: EventMark, b: EventMark) => a.ms - b.ms || byPlace(a, b);
