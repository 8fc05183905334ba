import type { Candidate, Collector } from './collect.js';
import { lostSessions } from './sessions.js';
import type { StalePages } from './stale.js';
import type { States } from './states.js';
import type { Confidence, LostSession, RecoveredKind, RecoverySummary } from './types.js';

/** Counts, and what they mean in plain words: few results need not mean that little was deleted. */
export function summarize(states: States, collector: Collector, stale: StalePages, settled: readonly Candidate[]): RecoverySummary {
  const { live, wal, journal, geometry } = states;
  const map = live.map();
  const byConfidence: Record<Confidence, number> = { complete: 0, probable: 0, partial: 0, fragment: 0 };
  const byKind: Partial<Record<RecoveredKind, number>> = {};
  for (const { confidence, kind } of settled) {
    byConfidence[confidence] += 1;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
  }
  const credentials = settled.filter(({ kind }) => kind === 'credential').length;
  const lost = lostSessions(settled);
  const variants = settled.filter((candidate) => candidate.variants.length > 0).length;
  return {
    pageSize: geometry.pageSize,
    pages: live.view.pageCount,
    freePages: map.freePages,
    trunks: map.trunks,
    zeroedPages: stale.zeroed,
    unownedPages: stale.unowned,
    livePages: collector.livePages.size,
    bytesScanned: stale.bytes + (wal?.frames ?? 0) * (wal?.pageSize ?? 0) + (journal?.records ?? 0) * (journal?.pageSize ?? 0),
    freelistErrors: map.freelistErrors,
    walFrames: wal?.frames ?? 0,
    walGenerations: wal?.generations.length ?? 0,
    walCommits: wal?.commits ?? 0,
    journalRecords: journal?.records ?? 0,
    byConfidence,
    byKind,
    supersededCopies: collector.superseded,
    equalCopies: collector.equal,
    variants,
    credentials,
    lostSessions: lost,
    statements: statements(states, collector, stale, settled, credentials, lost),
    problems: problemsOf(states, collector),
  };
}

function statements(
  { live, wal, journal }: States,
  collector: Collector,
  stale: StalePages,
  settled: readonly Candidate[],
  credentials: number,
  lost: readonly LostSession[],
): string[] {
  const { freePages } = live.map();
  const { autoVacuum } = live.view.geometry;
  const said: string[] = [];
  const free = freePages + stale.unowned;
  if (stale.zeroed > 0 && stale.zeroed * 2 >= free) {
    said.push(
      `free space is zeroed: ${stale.zeroed} of ${free} free pages hold nothing (secure_delete or similar); what was deleted is gone`,
    );
  } else if (stale.zeroed > 0) said.push(`${stale.zeroed} of ${free} free pages are zeroed`);
  if (collector.livePages.size > 0) {
    said.push(`free pages were reused: ${collector.livePages.size} of ${free} free pages hold versions of live conversations`);
  }
  if (free === 0 && (wal?.frames ?? 0) === 0 && (journal?.records ?? 0) === 0) {
    const why = autoVacuum ? ' (auto_vacuum gives free pages back)' : ' (never freed, given back, or the file was rebuilt by VACUUM)';
    said.push(`the file has no free pages${why}: only the gaps inside its pages could hold deleted data`);
  }
  if (lost.length > 0) {
    const bare = lost.filter(({ objects }) => objects === 0).length;
    said.push(`${lost.length} conversations are known by id that no row gives any more; of ${bare} of them nothing else was found`);
  }
  if (settled.length === 0) said.push('nothing there to recover');
  if (credentials > 0) said.push(`${credentials} stored credentials or former ones lie in deleted space; their values are not shown`);
  return said;
}

function problemsOf({ problems, live, input }: States, collector: Collector): string[] {
  const map = live.map();
  const all = [...problems];
  if (map.freelistErrors > 0) all.push(`the list of free pages has ${map.freelistErrors} errors; it was followed as far as it is sound`);
  if (map.treeErrors > 0) all.push(`${map.treeErrors} pages are claimed twice, lie outside the file or are not what they should be`);
  if (input.main !== undefined && map.tables.length <= 1) {
    all.push('no table can be reached: which pages are live is unknown, and live rows may show up as recovered ones');
  }
  if (collector.dropped > 0) all.push(`${collector.dropped} further objects were counted only: the limit of one file was reached`);
  return all;
}
