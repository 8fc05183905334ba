import { z } from 'zod';
import type { Manifest } from '../../src/pipeline/manifest.js';
import type { Row } from '../../src/rows/row.js';

const WantedRow = z.strictObject({
  kind: z.string().default('any'),
  text: z.string().optional(),
  text_contains: z.string().optional(),
  time: z.string().nullish(),
  time_prefix: z.string().optional(),
  tool: z.string().optional(),
  tool_use_id: z.string().optional(),
  session: z.string().optional(),
  project: z.string().optional(),
  project_ends: z.string().optional(),
  source: z.string().optional(),
  line: z.int().optional(),
  recovered: z.boolean().optional(),
  order: z.literal('any').optional(),
  // Which output the text is to be compared with: rows are as in JSONL.
  format: z.literal('jsonl').optional(),
});
type Wanted = z.infer<typeof WantedRow>;

export const ExpectedSchema = z.strictObject({
  run: z.strictObject({ mode: z.enum(['home', 'file']), path: z.string() }),
  rows: z.array(WantedRow),
  counts: z.record(z.string(), z.int()),
  rows_absent: z.array(WantedRow),
  warnings: z.array(z.strictObject({ about: z.string(), says: z.string() })),
  secrets: z.array(z.never()),
});
export type Expected = z.infer<typeof ExpectedSchema>;

/** Names the cases have for two row types. */
const TYPE_OF = new Map([
  ['user', 'prompt'],
  ['any', ''],
]);
const isOfKind = (row: Row, kind: string) => kind === 'any' || row.row_type === (TYPE_OF.get(kind) ?? kind);

const TESTS: { readonly [K in keyof Wanted]-?: (row: Row, wanted: NonNullable<Wanted[K]>) => boolean } = {
  kind: (row, kind) => isOfKind(row, kind),
  text: (row, text) => row.text === text,
  text_contains: (row, part) => row.text.includes(part),
  time: (row, time) => row.timestamp_utc === new Date(time).toISOString(),
  time_prefix: (row, prefix) => row.timestamp_utc.startsWith(prefix),
  tool: (row, tool) => row.tool_name === tool,
  tool_use_id: (row, id) => row.tool_use_id === id,
  session: (row, id) => row.session_id === id,
  project: (row, path) => row.project_path === path,
  project_ends: (row, end) => row.project_path.endsWith(end),
  // A case names the path from its own top; rows have it from the folder that was read.
  source: (row, path) => row.source_file.includes(path) || path.endsWith(row.source_file),
  line: (row, line) => row.source_line === line,
  recovered: (row, recovered) => (row.recovered !== '') === recovered,
  order: () => true,
  format: () => true,
};

function isWanted(row: Row, wanted: Wanted): boolean {
  if (wanted.time === null && row.timestamp_utc !== '') return false;
  return (Object.keys(TESTS) as (keyof Wanted)[]).every((key) => {
    const value = wanted[key];
    return value === undefined || value === null || (TESTS[key] as (row: Row, value: unknown) => boolean)(row, value);
  });
}

/** What of the expectations is not met, one line each. */
export function unmet(expected: Expected, rows: readonly Row[], manifest: Manifest): string[] {
  const wrong: string[] = [];
  const taken = new Set<number>();
  // Copies may carry earlier times than the rows they stand behind.
  const isFree = (wanted: Wanted) => wanted.order === 'any' || wanted.recovered === true || wanted.kind === 'recovered';
  const take = (wanted: Wanted, from: number): number => {
    const place = rows.findIndex((row, i) => i >= from && !taken.has(i) && isWanted(row, wanted));
    if (place >= 0) taken.add(place);
    return place;
  };
  let next = 0;
  for (const wanted of expected.rows.filter((row) => !isFree(row))) {
    const place = take(wanted, next);
    if (place >= 0) next = place + 1;
    else wrong.push(`row missing or out of order: ${JSON.stringify(wanted)}`);
  }
  for (const wanted of expected.rows.filter(isFree)) if (take(wanted, 0) < 0) wrong.push(`row missing: ${JSON.stringify(wanted)}`);
  for (const [kind, count] of Object.entries(expected.counts)) {
    const found = rows.filter((row) => isOfKind(row, kind) && row.duplicate_of === '' && (kind === 'recovered' || row.recovered === ''));
    if (found.length !== count) wrong.push(`${kind}: ${found.length} rows instead of ${count}`);
  }
  for (const wanted of expected.rows_absent) {
    if (rows.some((row) => isWanted(row, wanted))) wrong.push(`row that must not be there: ${JSON.stringify(wanted)}`);
  }
  const said = trouble(rows, manifest);
  for (const { about } of expected.warnings) if (!said.some((line) => line.includes(about))) wrong.push(`nothing said about ${about}`);
  return wrong;
}

/** Every place where a run tells that something could not be read. */
function trouble(rows: readonly Row[], { inputs, not_read }: Manifest): string[] {
  const told = rows.filter((row) => row.row_type === 'error' || row.row_type === 'gap' || row.problem !== '');
  return [
    ...told.map((row) => `${row.source_file} ${row.text} ${row.problem}`),
    ...inputs.filter((input) => input.problems.length > 0).map((input) => `${input.path} ${input.problems.join(' ')}`),
    ...not_read.errors.map(({ path, problem }) => `${path} ${problem}`),
  ];
}
