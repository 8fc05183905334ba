import { SHEET_ROWS } from '../pipeline/options.js';
import type { RunResult } from '../pipeline/run.js';
import { escapeUnsafe } from '../rows/problem.js';

const MOST_PROBLEMS = 10;

/** The end of a run in a few lines: what was read, what the rows are, what is missing. */
export function summaryLines(result: RunResult, output: string): string[] {
  return linesOf(result, output).map(result.clean);
}

function linesOf(result: RunResult, output: string): string[] {
  const { inputs, counts, timeline, collection } = result;
  if (result.nothing) {
    const named = collection.unrecognised.map((file) => `not recognised: ${escapeUnsafe(file)}`);
    return [`nothing found in ${collection.walked.files} files`, ...named.slice(0, MOST_PROBLEMS)];
  }
  const lines = [`${inputs.length} sources read, ${timeline.rows} rows${writtenTo(result, output)}`];
  lines.push(`  sources   ${tally(countBy(inputs.map((input) => input.store)))}`);
  lines.push(`  rows      ${tally(counts.byType)}`);
  lines.push(...userLines(result));
  if (counts.first !== '') lines.push(`  span      ${counts.first} to ${counts.last}`);
  lines.push(`  undated   ${counts.undated}`);
  lines.push(`  copies    ${counts.recovered} recovered, ${timeline.duplicates} duplicates`);
  lines.push(`  gaps      ${counts.byType.get('gap') ?? 0}`);
  const left = [...counts.filtered, ...(timeline.dropped > 0 ? [['duplicates', timeline.dropped] as const] : [])];
  if (left.length > 0) lines.push(`  left out  ${left.map(([name, n]) => `${name} ${n}`).join(', ')}`);
  if (output !== '-' && result.manifest.outputs.length > 1)
    lines.push(
      `  files     ${result.manifest.outputs.length}: ${result.manifest.outputs
        .map(({ path }) => escapeUnsafe(path))
        .slice(0, MOST_PROBLEMS)
        .join(', ')}`,
    );
  else if (result.manifest.outputs[0]?.format === 'csv' && timeline.rows > SHEET_ROWS)
    lines.push('  note      more rows than a spreadsheet holds: see --csv-preset excel');
  const silent = inputs.filter((input) => input.status === 'no_rows');
  if (silent.length > 0)
    lines.push(
      `  no rows   ${silent
        .map((input) => escapeUnsafe(input.path))
        .slice(0, MOST_PROBLEMS)
        .join(', ')}`,
    );
  if (collection.unopened.length > 0)
    lines.push(`  archives  ${collection.unopened.length} among the files not opened: name them to read them (see the manifest)`);
  const { policy, found, refused_rules: refused } = result.manifest.secrets;
  const total = Object.values(found).reduce((sum, n) => sum + n, 0);
  lines.push(policy === 'off' ? '  secrets   not scanned' : `  secrets   ${total} found, ${policy}`);
  for (const { id, reason } of refused) lines.push(`  rule left out: ${escapeUnsafe(id)}: ${escapeUnsafe(reason)}`);
  lines.push(...problemLines(result));
  return lines;
}

const MOST_USERS = 20;

function writtenTo({ manifest: { outputs } }: RunResult, output: string): string {
  const [first] = outputs;
  if (output === '-' || first === undefined) return '';
  return outputs.length === 1
    ? ` written to ${escapeUnsafe(first.path)}`
    : ` written to ${outputs.length} files, ${escapeUnsafe(first.path)} and so on`;
}

/** Who left what, where there is more than one. */
function userLines({ manifest: { users } }: RunResult): string[] {
  if (users.length < 2) return [];
  const named = users
    .slice(0, MOST_USERS)
    .map(({ user, inputs, rows }) => `${escapeUnsafe(user) || '(no user)'} ${inputs} sources ${rows} rows`);
  const rest = users.length > MOST_USERS ? `, and ${users.length - MOST_USERS} more, see the manifest` : '';
  return [`  users     ${named.join(', ')}${rest}`];
}

function problemLines({ inputs, collection }: RunResult): string[] {
  const problems = [
    ...collection.errors.map(({ file, what }) => `${file}: ${what}`),
    ...collection.unrecognised.map((file) => `${file}: not recognised`),
    ...inputs.flatMap((input) => input.problems.map((problem) => `${input.path}: ${problem}`)),
  ];
  if (problems.length === 0) return ['  problems  none'];
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => `    ${escapeUnsafe(problem)}`);
  const rest =
    problems.length > MOST_PROBLEMS ? [`    and ${problems.length - MOST_PROBLEMS} more, see the manifest and the error rows`] : [];
  return [`  problems  ${problems.length}`, ...shown, ...rest];
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function tally(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name} ${n}`)
    .join(', ');
}
