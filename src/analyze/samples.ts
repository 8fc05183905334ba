import { COLUMNS, type Row } from '../rows/row.js';
import { Engine } from './engine.js';
import type { RuleSet } from './rules/index.js';
import type { Rule, Sample } from './rules/schema.js';
import { Suppressions } from './suppress.js';
import { Survey } from './survey.js';
import { type RowView, viewOf } from './view.js';

type SampleRow = Readonly<Record<string, unknown>>;

/** What a sample leaves out is that of a shell call. */
const CALL = { row_type: 'tool_use', tool_name: 'execute_bash', session_id: 's', project_path: '/home/mira/shop' };
/** Keys of a sample that are no columns of its row: what other rows and files say of it, and how often it comes. */
const BESIDE = new Set(['joined', 'repeat', 'file_mtime', 'collected_at']);
const MOST_REPEATS = 1000;

/** What is wrong with the samples of a rule, in plain words: each must give a finding of that rule, or none. `set`: the rule alone. */
export function sampleFaults({ id, samples }: Rule, set: RuleSet): string[] {
  return (['match', 'no_match'] as const).flatMap((kind) =>
    samples[kind].flatMap((sample, i) => {
      const says = verdict(sample, id, set);
      if (says === (kind === 'match')) return [];
      const what = says === true ? 'gives a finding' : says === false ? 'gives no finding' : says;
      return [`samples.${kind}.${i}: ${what}: ${JSON.stringify(sample).slice(0, 120)}`];
    }),
  );
}

function verdict(sample: Sample, id: string, set: RuleSet): boolean | string {
  try {
    return foundIn(sample, set).includes(id);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Ids of the rules of a set that find something in a sample. It goes through the whole engine, as the rows of a timeline do. */
export function foundIn(sample: Sample, set: RuleSet): string[] {
  const survey = new Survey();
  const views = viewsOf(sample);
  for (const { row } of views) survey.add(row);
  const engine = new Engine(set, survey, new Suppressions([]));
  for (const view of views) engine.add(view);
  return [...new Set(engine.finish().map((hit) => hit.rule.id))].sort();
}

/** What rules see of the rows of a sample, built as for a real timeline. Throws for a key that is no column. */
export function viewsOf(sample: Sample): RowView[] {
  const survey = new Survey();
  const samples = rowsOf(sample);
  const rows = samples.map((values, i) => {
    const columns: Partial<Row> = Object.fromEntries(Object.entries(values).filter(([key]) => !BESIDE.has(key)));
    const dated: Partial<Row> = columns.timestamp_utc ? { timestamp_source: 'message' } : {};
    return { ...emptyRow(), ...dated, ...columns, row_id: String(i).padStart(16, '0') };
  });
  for (const row of rows) survey.add(row);
  return rows.map((row, i) => {
    const { joined, file_mtime = '', collected_at = '' } = samples[i] ?? {};
    const stated = typeof joined === 'object' ? joined : {};
    const known = { joined: (of: Row) => ({ ...survey.joined(of), ...stated }), isFirstPrompt: (of: Row) => survey.isFirstPrompt(of) };
    return viewOf(row, known, { mtimes: new Map([[row.source_file, String(file_mtime)]]), collectedAt: String(collected_at) });
  });
}

function rowsOf(sample: Sample): SampleRow[] {
  return [sample].flat().flatMap((part): SampleRow[] => {
    const row = typeof part === 'string' ? { command: part } : part;
    for (const key of Object.keys(row))
      if (!BESIDE.has(key) && !COLUMNS.some((column) => column === key)) throw new Error(`no column: ${key}`);
    const length = Math.min(Number(row.repeat ?? 1), MOST_REPEATS);
    return Array.from({ length }, () => ({ ...CALL, ...('row_type' in row ? { tool_name: '' } : {}), ...row }));
  });
}

/** A row in which nothing is said. */
export function emptyRow(): Row {
  const text = {
    timestamp_utc: '',
    host: '',
    user: '',
    agent: '',
    session_id: '',
    project_path: '',
    git_branch: '',
    model: '',
    tool_name: '',
    tool_use_id: '',
    text: '',
    source_file: '',
    timestamp_original: '',
    command: '',
    decided_by: '',
    duplicate_of: '',
    message_id: '',
    request_id: '',
    parent_session_id: '',
    source_table: '',
    source_pointer: '',
    source_sha256: '',
    row_id: '',
    problem: '',
    schema: '',
    tool_version: '',
  };
  const chosen = {
    turn_type: 'system',
    row_type: 'log',
    origin: '',
    timestamp_source: 'none',
    status: '',
    outcome: '',
    decision: '',
    recovered: '',
    confidence: '',
  } as const;
  const numbers = { source_line: 0, exit_code: null, duration_ms: null, source_offset: null, secret_count: null };
  return { ...text, ...chosen, ...numbers, file_paths: [], secret_rules: [], secrets: [], details: {} };
}
