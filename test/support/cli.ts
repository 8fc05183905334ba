import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { buildFixtures } from '../../scripts/build-fixtures.js';
import { type Manifest, ManifestSchema } from '../../src/pipeline/manifest.js';
import { COLUMNS, type Row, RowSchema } from '../../src/rows/row.js';

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const DAMAGED_HOME = fileURLToPath(new URL('../../fixtures/damaged/home', import.meta.url));
const FIXTURE_HOME = fileURLToPath(new URL('../../fixtures/home', import.meta.url));

if (!existsSync(CLI)) throw new Error('dist/cli.js is missing: run `npm run build` first');

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs the built program to its end. */
export function kirotrail(args: readonly string[], options: CliOptions = {}): CliResult {
  return resultOf(spawnSync(process.execPath, [CLI, ...args], spawnOptions(options)));
}

/** Runs a line of `sh` in which `$KIROTRAIL` is the program. */
export function shell(line: string, options: CliOptions = {}): CliResult {
  const env = { KIROTRAIL: `${process.execPath} ${CLI}`, ...options.env };
  return resultOf(spawnSync('/bin/sh', ['-c', line], spawnOptions({ ...options, env })));
}

function spawnOptions({ cwd, env, input }: CliOptions) {
  return {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    input: input ?? Buffer.alloc(0),
    maxBuffer: 1 << 28,
    timeout: 60_000,
    stdio: 'pipe' as const,
  };
}

function resultOf({ status, stdout, stderr, error }: SpawnSyncReturns<string | Buffer>): CliResult {
  if (error !== undefined) throw error;
  return { code: status, stdout: Buffer.from(stdout), stderr: String(stderr) };
}

/** A folder of this test file, removed when it is done. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const WHEN = new Date('2025-11-20T10:00:00Z');

/** The fixture home with its databases and two damaged files, every file with the same time in whole seconds: a copy keeps those exactly. */
export function copyHome(target: string): string {
  cpSync(FIXTURE_HOME, target, { recursive: true, filter: (path) => !/\.sqlite3$/.test(path) });
  cpSync(DAMAGED_HOME, target, { recursive: true, filter: (path) => !path.endsWith('.cli_bash_history') });
  appendFileSync(join(target, '.aws/amazonq/.cli_bash_history'), Buffer.from('caf\xe9 \xff menu, please translate\n', 'latin1'));
  buildFixtures(target);
  for (const file of filesIn(target)) utimesSync(join(target, file), WHEN, WHEN);
  return target;
}

export function writeFileDeep(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** All files below a folder, by relative path, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => lstatSync(join(folder, name)).isFile())
    .sort();
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Names, kinds, modes, sizes, times and hashes of everything below a folder: equal before and after means untouched. */
export function stateOf(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()];
  return names.map((name) => {
    const path = join(folder, name);
    const { size, mtimeNs, mode, ino } = lstatSync(path, { bigint: true });
    const hash = lstatSync(path).isFile() ? sha256(readFileSync(path)) : '';
    return [name, mode.toString(8), size, mtimeNs, ino, hash].join(' ');
  });
}

export function rowsOf(jsonl: Uint8Array): Row[] {
  const text = Buffer.from(jsonl).toString('utf8');
  if (text === '') return [];
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => RowSchema.parse(JSON.parse(line)));
}

export function manifestOf(path: string): Manifest {
  return ManifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** A `/save` export of a conversation: prompts and answers by turns. */
export function saveExport(id: string, turns: readonly (readonly [prompt: string, answer: string])[]): string {
  const history = turns.map(([prompt, content], i) => ({
    user: {
      additional_context: '',
      env_context: { env_state: { operating_system: 'linux', current_working_directory: '/home/mira/work', environment_variables: [] } },
      content: { Prompt: { prompt } },
      timestamp: new Date(Date.UTC(2025, 10, 1, 10, 0, i)).toISOString(),
      images: null,
    },
    assistant: { Response: { message_id: `${id}-${i}`, content } },
    request_metadata: null,
  }));
  const state = { conversation_id: id, next_message: null, history, valid_history_range: [0, turns.length], transcript: [] };
  return JSON.stringify({ ...state, tools: {}, context_manager: null, context_message_length: 0, latest_summary: null, model_info: null });
}

/** A row with every column, for tests of the encoders. */
export function makeRow(values: Partial<Row> = {}): Row {
  const empty = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as unknown as Row;
  return {
    ...empty,
    turn_type: 'user',
    row_type: 'prompt',
    timestamp_source: 'none',
    source_line: 0,
    exit_code: null,
    duration_ms: null,
    file_paths: [],
    source_offset: null,
    secret_count: null,
    secret_rules: [],
    secrets: [],
    details: {},
    ...values,
  };
}
