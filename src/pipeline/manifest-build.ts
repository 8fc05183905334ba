import type { Collection } from '../collect/collection.js';
import { sqliteVersion } from '../evidence/sqlite-open.js';
import { VERSION } from '../version.js';
import type { TimelineTotals } from '../write/timeline.js';
import { type EncodingCounts, manifestCounts } from './encoding.js';
import type { Manifest, ManifestInput } from './manifest.js';
import type { RunOptions } from './options.js';
import type { SinkCounts } from './sink.js';
import type { WrittenFile } from './write-rows.js';

export interface ManifestParts {
  readonly options: RunOptions;
  readonly started: Date;
  readonly roots: readonly string[];
  readonly collection: Collection;
  readonly inputs: ManifestInput[];
  readonly counts: SinkCounts;
  readonly timeline: TimelineTotals;
  readonly written: readonly WrittenFile[];
  readonly changed: EncodingCounts;
  readonly secrets: Manifest['secrets'];
  readonly scanned: readonly string[];
}

/** The manifest of a run. Its times are the only place where a clock is read; `SOURCE_DATE_EPOCH` fixes them. */
export function buildManifest(parts: ManifestParts): Manifest {
  const { options, collection, inputs, counts, timeline, written } = parts;
  return {
    schema: 'kirotrail-manifest/1',
    tool: 'kirotrail',
    version: VERSION,
    node: process.version,
    sqlite: sqliteVersion(),
    platform: process.platform,
    argv: [...options.argv],
    started_utc: stamp(parts.started),
    finished_utc: stamp(new Date()),
    source_roots: [...parts.roots],
    walked: collection.walked,
    archives: collection.archives.map(({ file, unpacked, leftOut, renamed, ...rest }) => ({
      path: file,
      ...rest,
      unpacked: { ...unpacked },
      left_out: { ...leftOut },
      renamed: renamed.map(({ file, stored, why }) => ({ path: file, stored, why })),
    })),
    inputs,
    not_read: {
      links: collection.links.map(({ file, target }) => ({ path: file, target })),
      special_files: collection.special.map(({ file, kind }) => ({ path: file, kind })),
      errors: collection.errors.map(({ file, what }) => ({ path: file, problem: what })),
      excluded_folders: [...collection.excluded],
      unclaimed: [...collection.unclaimed],
      unrecognised: [...collection.unrecognised],
      archives: [...collection.unopened],
      orphans: collection.orphans.map(({ file }) => file),
    },
    hard_links: collection.hardLinks.map((names) => [...names]),
    secrets: parts.secrets,
    recovery: {
      scanned: options.recover ?? true,
      databases: [...parts.scanned],
      note:
        (options.recover ?? true)
          ? 'what was found, or why nothing could be, stands in the recovered row of each database'
          : 'switched off (--no-recover)',
    },
    outputs: written.map((file) => ({ ...file, format: options.format })),
    users: userTotals(inputs, options.user),
    counts: {
      rows: timeline.rows,
      by_type: Object.fromEntries([...counts.byType].sort(([a], [b]) => (a < b ? -1 : 1))),
      undated: counts.undated,
      recovered: counts.recovered,
      duplicates: timeline.duplicates,
      first_utc: counts.first,
      last_utc: counts.last,
      left_out: {
        ...Object.fromEntries([...counts.filtered].sort(([a], [b]) => (a < b ? -1 : 1))),
        ...(timeline.dropped > 0 ? { duplicates: timeline.dropped } : {}),
      },
    },
    ...manifestCounts(options.format, parts.changed),
  };
}

/** What was found of each user, by name. */
function userTotals(inputs: readonly ManifestInput[], given: string): NonNullable<Manifest['users']> {
  const totals = new Map<string, { inputs: number; rows: number; size: number }>();
  for (const { user, rows, size } of inputs) {
    const name = given || user;
    const total = totals.get(name) ?? { inputs: 0, rows: 0, size: 0 };
    totals.set(name, { inputs: total.inputs + 1, rows: total.rows + rows, size: total.size + size });
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([user, total]) => ({ user, ...total }));
}

/** The clock, or what `SOURCE_DATE_EPOCH` puts in its place. */
export function stamp(time: Date): string {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return epoch !== undefined && /^\d{1,12}$/.test(epoch) ? new Date(Number(epoch) * 1000).toISOString() : time.toISOString();
}
