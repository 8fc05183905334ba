/** What a report says of the evidence beside its rows. */
import type { Finding, Level } from '../analyze/index.js';
import type { ReportTables } from '../report/format.js';
import { grouped } from '../report/write/escape.js';
import type { Statement } from '../report/write/summary.js';
import type { FilterOptions } from './filter.js';
import type { Manifest } from './manifest.js';
import type { TimelineFile } from './timeline-file.js';

/** Everything that was not read, and why. */
export function notReadOf(manifest: Manifest): ReportTables['not_read'] {
  const { not_read, inputs } = manifest;
  const all = (paths: readonly string[], reason: string) => paths.map((path) => ({ path, reason }));
  return [
    ...inputs.filter(({ problems }) => problems.length > 0).map(({ path, problems }) => ({ path, reason: problems.join('; ') })),
    ...not_read.errors.map(({ path, problem }) => ({ path, reason: problem })),
    ...all(not_read.unrecognised, 'no known store'),
    ...all(not_read.orphans, 'a log or journal whose database is not there'),
    ...all(not_read.unclaimed, 'lies in the folder of a known store and is none of its known files'),
    ...not_read.links.map(({ path, target }) => ({ path, reason: `a link to ${target}, not followed` })),
    ...not_read.special_files.map(({ path, kind }) => ({ path, reason: `a special file (${kind})` })),
    ...all(not_read.excluded_folders, 'folder not entered'),
    ...all(listedOnly(inputs), 'found and hashed; no rows are made of this store'),
  ];
}

const listedOnly = (inputs: Manifest['inputs']) => inputs.filter(({ status }) => status === 'listed').map(({ path }) => path);

const POLICIES: ReadonlyMap<string, Statement['secrets_policy']> = new Map([
  ['redact', 'masked'],
  ['redact-all', 'masked'],
  ['show', 'shown'],
  ['off', 'not scanned'],
]);

export function statementOf(title: string, sha256: string, manifest: Manifest | undefined): Statement {
  const inputs = manifest?.inputs ?? [];
  const without = manifest?.not_read;
  return {
    title,
    files: inputs.length,
    files_partly_read: inputs.filter(({ status }) => status === 'partly_read').length,
    files_unread: inputs.filter(({ status }) => status === 'unread').length,
    not_read: without === undefined ? null : Object.values(without).reduce((sum, list) => sum + list.length, listedOnly(inputs).length),
    secrets_policy: POLICIES.get(manifest?.secrets.policy ?? '') ?? 'unknown',
    timeline_sha256: sha256,
  };
}

/** What a reader must know of how the timeline came about. */
export function timelineRemarks(manifest: Manifest | undefined, file: TimelineFile): string[] {
  const remarks: string[] = [];
  if (manifest === undefined) {
    remarks.push(
      'No manifest that belongs to this timeline lies beside it: what was not read, and whether secrets are masked, is unknown.',
    );
  } else {
    const left = Object.entries(manifest.counts.left_out).map(([name, n]) => `${name} ${grouped(n)}`);
    if (left.length > 0) remarks.push(`The timeline itself leaves out rows: ${left.join(', ')}.`);
    if (!manifest.recovery.scanned) remarks.push('Deleted space of databases was not looked through.');
    for (const { id, reason } of manifest.secrets.refused_rules) remarks.push(`Rule for secrets left out: ${id}: ${reason}`);
  }
  if (file.broken > 0) {
    const named = file.problems.slice(0, MOST_LINES).map(({ line, what }) => `line ${line}: ${what}`);
    const more = file.broken > named.length ? `; and ${grouped(file.broken - named.length)} more` : '';
    remarks.push(
      `Lines of the timeline that are no rows and are not in this report: ${grouped(file.broken)} (${named.join('; ')}${more}).`,
    );
  }
  return remarks;
}

const MOST_LINES = 5;

/** The filter of a page in words, or '' where every row is in it. */
export function filterScope(filter: FilterOptions, kept: number, left: ReadonlyMap<string, number>): string {
  const { since, until, sessions, projects } = filter;
  const wanted = [
    ...(sessions.length > 0 ? [`of session ${few(sessions)}`] : []),
    ...(projects.length > 0 ? [`of project ${few(projects)}`] : []),
    ...(since === undefined ? [] : [`from ${since} on`]),
    ...(until === undefined ? [] : [`before ${until}`]),
  ];
  if (wanted.length === 0) return '';
  const gone = [...left.values()].reduce((sum, n) => sum + n, 0);
  const why = [...left].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, n]) => `${name} ${grouped(n)}`);
  const counted = why.length === 0 ? '' : `; left out: ${why.join(', ')}`;
  return `Rows ${wanted.join(', ')} only: ${grouped(kept)} of ${grouped(kept + gone)}${counted}. Rows of evidence that could not be read always stay.`;
}

const MOST_NAMED = 3;
const LONGEST_NAME = 100;

function few(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).map((name) => name.slice(0, LONGEST_NAME));
  return `${named.join(', ')}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`;
}

/** What the list of findings does not show. */
export function findingRemarks(all: readonly Finding[], listed: readonly Finding[], level: Level): string[] {
  const hidden = all.filter((finding) => finding.level !== 'info').length - listed.filter((finding) => finding.level !== 'info').length;
  return hidden === 0 ? [] : [`Findings below level ${level} are not listed: ${grouped(hidden)}.`];
}
