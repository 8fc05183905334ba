import type { Primaries } from './column.js';
import type { EventMark, SessionLink } from './events.js';

/** A copy that is dated later than that bears the time of the migration, not that of the event. */
const LATER_MS = 120_000;

/**
 * A conversation that was taken over into another store lies in both, under two ids that a marker joins. What was taken over
 * is a copy of what the newer store holds: a call by its id, what was said by its words, the first with the first. What the
 * newer store lacks stays a row of its own, and where only the older one tells when it happened, the newer one has the copy.
 */
export function pairMigrated(marks: readonly EventMark[], sessions: MigratedSessions, primaries: Primaries): void {
  const ordered = marks.filter(({ row }) => primaries.get(row) < 0).sort((a, b) => a.row - b.row);
  const taken = new Map<string, EventMark[]>();
  for (const mark of ordered) {
    const key = mark.echo === '' ? sessions.keyOf(mark) : undefined;
    if (key === undefined) continue;
    const rows = taken.get(key);
    if (rows === undefined) taken.set(key, [mark]);
    else rows.push(mark);
  }
  const used = new Map<string, number>();
  for (const mark of ordered) {
    const key = mark.echo === 'migrated' ? sessions.keyOf(mark) : undefined;
    if (key === undefined) continue;
    const nth = used.get(key) ?? 0;
    used.set(key, nth + 1);
    const other = taken.get(key)?.[nth];
    if (other === undefined) continue;
    // Not true either where one of them has no time.
    if (other.ms - mark.ms > LATER_MS) primaries.set(other.row, mark.row);
    else primaries.set(mark.row, other.row);
  }
}

/** The conversations that were taken over. */
export class MigratedSessions {
  private readonly newer: ReadonlyMap<bigint, bigint>;
  private readonly targets: ReadonlySet<bigint>;

  constructor(links: readonly SessionLink[]) {
    this.newer = new Map(links.map(({ from, to }) => [from, to]));
    this.targets = new Set(this.newer.values());
  }

  /** What a row and its copy have in common; undefined for a row of no such conversation. */
  keyOf(mark: EventMark): string | undefined {
    const session = this.sessionOf(mark);
    return session === undefined ? undefined : keyIn(session, mark);
  }

  private sessionOf({ echo, session }: EventMark): bigint | undefined {
    if (echo === 'migrated') return this.newer.get(session);
    return echo === '' && this.targets.has(session) ? session : undefined;
  }
}

function keyIn(session: bigint, mark: EventMark): string | undefined {
  const known = knownBy(mark);
  return known === 0n ? undefined : `${mark.kind} ${session} ${known}`;
}

/** Two calls of one command are two events: only what was said is known by its words. */
export const knownBy = ({ kind, call, what }: EventMark): bigint => (kind === 'prompt' || kind === 'assistant' ? what : call);
