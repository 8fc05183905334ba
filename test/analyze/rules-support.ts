import { Engine } from '../../src/analyze/engine.js';
import { loadRules, type RuleSet, ruleSet } from '../../src/analyze/rules/index.js';
import type { Sample } from '../../src/analyze/rules/schema.js';
import { Suppressions } from '../../src/analyze/suppress.js';
import { Survey } from '../../src/analyze/survey.js';
import { type RowView, viewOf } from '../../src/analyze/view.js';
import { catalogFolder, readDocuments } from '../../src/catalog/documents.js';
import { COLUMNS, type Row } from '../../src/rows/row.js';

export const catalog = readDocuments(catalogFolder());
export const builtIn: RuleSet = loadRules(catalog);

type SampleRow = Readonly<Record<string, unknown>>;

const CALL = { row_type: 'tool_use', tool_name: 'execute_bash', session_id: 's', project_path: '/home/mira/shop' };
const BESIDE = new Set(['joined', 'repeat', 'file_mtime', 'collected_at']);

function emptyRow(): Row {
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

/** The rows of a sample: what it leaves out is empty, or that of a shell call. */
function rowsOf(sample: Sample): SampleRow[] {
  return [sample].flat().flatMap((part): SampleRow[] => {
    const row = typeof part === 'string' ? { command: part } : part;
    for (const key of Object.keys(row))
      if (!BESIDE.has(key) && !COLUMNS.some((column) => column === key)) throw new Error(`no column: ${key}`);
    const { repeat = 1 } = row;
    return Array.from({ length: Number(repeat) }, () => ({ ...CALL, ...('row_type' in row ? { tool_name: '' } : {}), ...row }));
  });
}

/** What rules see of the rows of a sample, built as for a real timeline. */
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
    const values = samples[i] ?? {};
    const view = viewOf(row, survey, {
      mtimes: new Map([[row.source_file, String(values.file_mtime ?? '')]]),
      collectedAt: String(values.collected_at ?? ''),
    });
    return Object.defineProperty(view, 'joined', { value: { ...view.joined, ...Object(values.joined ?? {}) } });
  });
}

/** Rules of the set that find something in a sample. */
export function found(sample: Sample, set: RuleSet = builtIn): string[] {
  const survey = new Survey();
  const views = viewsOf(sample);
  for (const { row } of views) survey.add(row);
  const engine = new Engine(set, survey, new Suppressions([]));
  for (const view of views) engine.add(view);
  return [...new Set(engine.finish().map((hit) => hit.rule.id))].sort();
}

/** One rule alone. */
export const alone = (id: string): RuleSet =>
  ruleSet(
    builtIn.rules.filter((rule) => rule.id === id),
    builtIn.lists,
  );
