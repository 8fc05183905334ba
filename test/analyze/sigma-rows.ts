import { parse } from 'yaml';
import { type CompiledSigma, compileSigma } from '../../src/analyze/sigma/index.js';
import type { RowView } from '../../src/analyze/view.js';
import type { SimpleCommand } from '../../src/commands/types.js';
import type { Row } from '../../src/rows/row.js';

/** A row of a call as Sigma rules see it. Its simple commands are given as their lines, so that a test hangs on no parser. */
export interface Call {
  readonly line?: string;
  readonly commands?: readonly string[];
  readonly writes?: readonly string[];
  readonly tool?: string;
  readonly project?: string;
  readonly user?: string;
}

export function view({
  line = '',
  commands = line === '' ? [] : [line],
  writes = [],
  tool = 'execute_bash',
  project = '',
  user = '',
}: Call): RowView {
  const row: Row = { ...EMPTY_ROW, row_type: 'tool_use', tool_name: tool, command: line, project_path: project, user };
  return {
    row,
    joined: { decision: '', decided_by: '', status: '', exit_code: null, not_run: false, approvals_recorded: false },
    details: {},
    commands: commands.map(command),
    commandProblem: '',
    touches: { read: [], write: writes, delete: [] },
    file_mtime: '',
    collected_at: '',
  };
}

function command(line: string): SimpleCommand {
  const [program = '', ...args] = line.split(' ');
  return { ...EMPTY_COMMAND, name: program.replace(/^.*[/\\]/, '').toLowerCase(), line, text: line, args };
}

const EMPTY_COMMAND: SimpleCommand = {
  name: '',
  line: '',
  text: '',
  args: [],
  ops: [],
  sub: '',
  flags: [],
  values: new Map(),
  reads: [],
  writes: [],
  deletes: [],
  recursive: false,
  force: false,
  fetches: [],
  sends: [],
  urls: [],
  body: false,
  bodyFile: false,
  from: [],
  to: [],
  upstream: [],
  subst: [],
  procsub: [],
  wrappers: [],
  privileged: false,
  via: '',
  remote: false,
  container: false,
  encoded: false,
  env: [],
  heredoc: '',
  stdinCode: false,
  outsideProject: undefined,
};

const EMPTY_ROW: Row = {
  timestamp_utc: '',
  host: '',
  user: '',
  agent: 'kiro-cli',
  session_id: 's1',
  project_path: '',
  git_branch: '',
  turn_type: 'tool_use',
  model: '',
  tool_name: '',
  tool_use_id: '',
  text: '',
  source_file: 'a.jsonl',
  source_line: 1,
  row_type: 'tool_use',
  origin: '',
  timestamp_source: 'none',
  timestamp_original: '',
  status: '',
  outcome: '',
  exit_code: null,
  duration_ms: null,
  command: '',
  file_paths: [],
  decision: '',
  decided_by: '',
  recovered: '',
  confidence: '',
  duplicate_of: '',
  message_id: '',
  request_id: '',
  parent_session_id: '',
  source_table: '',
  source_pointer: '',
  source_offset: null,
  source_sha256: '',
  secret_count: null,
  secret_rules: [],
  secrets: [],
  row_id: '0000000000000000',
  problem: '',
  details: {},
  schema: 'kirotrail/1',
  tool_version: '',
};

/** Two ids retired by a later version, and one that no version has. */
export const IDS = {
  attackProblem: (id: string) => (id === 'T9999' ? 'T9999 is no ATT&CK id of v19' : ''),
  current: (id: string) => ({ T1562: 'T1685', 'T1070.002': 'T1685.006' })[id] ?? id,
};

/** A rule from the lines below `detection:`, with the rest filled in. */
export function sigma(detection: string, { category = 'process_creation', product = 'linux', more = '' } = {}): CompiledSigma {
  const lines = detection.replace(/^\n|\s+$/g, '').split('\n');
  const indent = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  const text = [
    'title: Invented',
    'id: 11111111-2222-3333-4444-555555555555',
    'level: medium',
    'logsource:',
    `  category: ${category}`,
    ...(product === '' ? [] : [`  product: ${product}`]),
    'detection:',
    ...lines.map((line) => `  ${line.slice(indent)}`),
    more,
  ].join('\n');
  return compileSigma(parse(text), IDS);
}

/** Whether a rule finds a row; the reason where the rule was refused. */
export function finds(rule: CompiledSigma, call: Call | string): boolean | string {
  return 'refused' in rule ? rule.refused : rule.condition.matches(view(typeof call === 'string' ? { line: call } : call));
}
