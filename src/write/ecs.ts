/**
 * JSON lines in the names of the Elastic Common Schema. The whole row stands first, as `kirotrail`, so that nothing is lost;
 * behind it what the schema has a name for. docs/mapping.md is the table.
 *
 * An index refuses a document in which an object of evidence has a strange name, is nested too deep or holds too long a value,
 * so arguments and results of tools go under their ECS names only where they are plain and short; the row has them always.
 */
import type { Row } from '../rows/row.js';
import { toUtcText } from '../rows/time.js';
import { jsonText } from './json-text.js';

/** The names are those of the schema files at commit 065887cb of elastic/ecs. */
const ECS_VERSION = '9.5.0-dev';

/** Longest text that goes into an indexed object: a term ends at 32,766 bytes, a character takes up to three. */
const TERM_LENGTH = 10_000;
const MOST_DEPTH = 8;

type Json = { readonly [name: string]: unknown };

export interface EcsCounts {
  standIns: number;
}

/** `collected`: stands in as time where not even a file time is known, in milliseconds. */
export function ecsEncoder(collected: number): {
  readonly line: (row: Row, fileTime: number | undefined) => string;
  readonly counts: EcsCounts;
} {
  const counts: EcsCounts = { standIns: 0 };
  const line = (row: Row, fileTime: number | undefined): string => {
    const undated = row.timestamp_utc === '';
    if (undated) counts.standIns += 1;
    return jsonText({
      // First: its `duplicate_of` is filled in where the encoded line has that name for the first time.
      kirotrail: row,
      '@timestamp': undated ? toUtcText(Math.floor(fileTime ?? collected)) : row.timestamp_utc,
      message: row.text,
      tags: tagsOf(row, undated),
      ecs: { version: ECS_VERSION },
      event: filled(eventOf(row)),
      ...filled({
        labels: filled({ agent: row.agent, session_id: row.session_id, project_path: row.project_path }),
        host: filled({ name: row.host }),
        user: filled({ name: row.user }),
        gen_ai: filled(genAiOf(row)),
        process: filled(processOf(row)),
        file: filled({ path: row.file_paths }),
        log: { file: { path: row.source_file } },
        related: filled({
          hash: listOf(row.source_sha256),
          user: listOf(row.user),
          hosts: listOf(row.host),
        }),
      }),
    });
  };
  return { line, counts };
}

/** Without what is empty. */
function filled(values: Json): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const listOf = (value: string) => (value === '' ? [] : [value]);

function tagsOf(row: Row, undated: boolean): string[] {
  return [
    ...(undated ? ['undated'] : []),
    ...(row.recovered === '' ? [] : ['recovered']),
    ...((row.secret_count ?? 0) > 0 ? ['secret'] : []),
    ...listOf(row.decision),
  ];
}

/** Categories whose meaning in the schema is that of the row type; the others have none. */
const CATEGORIES: Readonly<Partial<Record<Row['row_type'], string>>> = {
  config: 'configuration',
  file: 'file',
  session: 'session',
  shell: 'process',
};
const OUTCOMES: Readonly<Record<string, string>> = {
  approved: 'success',
  denied: 'failure',
  pass: 'success',
  fail: 'failure',
  ambiguous: 'unknown',
};

function eventOf(row: Row): Json {
  const category = row.row_type === 'tool_use' && row.command !== '' ? 'process' : CATEGORIES[row.row_type];
  return {
    kind: 'event',
    module: 'kirotrail',
    dataset: `kirotrail.${row.row_type}`,
    action: row.row_type,
    id: row.row_id,
    category: category === undefined ? [] : [category],
    type: [typeOf(row)],
    outcome: OUTCOMES[row.decision] ?? OUTCOMES[row.outcome],
    duration: row.duration_ms === null ? undefined : row.duration_ms * 1_000_000,
    reason: row.problem,
  };
}

function typeOf({ row_type, decision, command }: Row): string {
  if (row_type === 'error') return 'error';
  if (row_type === 'permission') return decision === 'approved' ? 'allowed' : decision === 'denied' ? 'denied' : 'info';
  return row_type === 'shell' || (row_type === 'tool_use' && command !== '') ? 'start' : 'info';
}

function processOf({ command, project_path, exit_code }: Row): Json {
  if (command === '' && exit_code === null) return {};
  return { command_line: command, working_directory: command === '' ? '' : project_path, exit_code };
}

function genAiOf(row: Row): Json {
  const { row_type, model, text } = row;
  if (row_type === 'prompt') {
    return { operation: { name: 'chat' }, request: filled({ model }), input: filled({ messages: messages('user', text) }) };
  }
  if (row_type === 'assistant' || row_type === 'thinking') {
    const output = row_type === 'assistant' ? messages('assistant', text) : [];
    return { operation: { name: 'chat' }, response: filled({ model }), output: filled({ messages: output }) };
  }
  if (row_type === 'tool_use' || row_type === 'tool_result') {
    return { operation: { name: 'execute_tool' }, response: filled({ model }), tool: toolOf(row) };
  }
  return row_type === 'delegate' ? { operation: { name: 'invoke_agent' } } : {};
}

function messages(role: string, content: string): object[] {
  return content === '' ? [] : [{ role, parts: [{ type: 'text', content }] }];
}

function toolOf({ row_type, tool_name, tool_use_id, text }: Row): Json {
  const call =
    row_type === 'tool_use'
      ? { id: tool_use_id, arguments: argumentsOf(text) }
      : { id: tool_use_id, result: text.length > TERM_LENGTH ? undefined : filled({ text }) };
  return filled({ name: tool_name, call: filled(call) });
}

/** Arguments as an object, if they are one that an index takes. */
function argumentsOf(text: string): unknown {
  if (!text.startsWith('{') || text.length > TERM_LENGTH) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlain(value, 0) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MOST_DEPTH) return false;
  return Object.entries(value).every(([name, member]) => (Array.isArray(value) || /^\w[\w-]*$/.test(name)) && isPlain(member, depth + 1));
}
