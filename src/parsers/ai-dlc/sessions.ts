import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Artifact, FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { fromEpochMs, fromRfc3339 } from '../../rows/time.js';
import { pairs, problems, readObject } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { FileParser } from '../parser.js';
import { folderOf, nameOf, projectOf, wholeText } from './text.js';

// aidlc/.aidlc-sessions: what the adapter for Kiro IDE keeps between hooks. `.kiro-ide-current-session`: id of the last session.
// `kiro-terminal/<SHA-256 of a session id>/`: number of the turn, the last terminal command of it with its output (latch.json),
// when the session was started, and whether prompts come without text on this build.
// They prove that a session of that id, or of an id with that hash, worked in the project. Each is the last state only.
// Evidence: L4, awslabs/aidlc-workflows: harness/kiro-ide.

export const aiDlcSession: FileParser = { id: 'ai-dlc-session', container: 'file', parse };

const HASH = /^[0-9a-f]{64}$/i;
const MEANING: Readonly<Record<string, string>> = {
  turn: 'terminal turn',
  'prompt-empty': 'prompts come without text on this build',
  'capability-noted': 'the agent was told that prompts come without text',
  'session-started': 'started by the adapter',
  '.kiro-ide-current-session': 'last session of the project',
};

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const name = nameOf(artifact);
  const folder = folderOf(artifact, 1);
  const session = HASH.test(folder) ? { session_id_sha256: folder } : {};
  const columns = { ...projectOf(artifact) };
  if (name === 'latch.json') {
    const record = yield* readObject(source, 'terminal latch');
    if (record) for (const row of latchRows(record, artifact)) yield { ...columns, ...row, details: { ...row.details, ...session } };
    return;
  }
  const whole = yield* wholeText(source, 'AI-DLC session record');
  if (whole === undefined) return;
  const text = whole.text.trim();
  const time = fromRfc3339(text, 'launched_at');
  const meaning = Object.hasOwn(MEANING, name) ? (MEANING[name] ?? '') : `record of the adapter file=${name}`;
  const id = name === '.kiro-ide-current-session' ? text : '';
  yield {
    row_type: 'session',
    text: `session: ${meaning}${text === '' ? '' : `: ${text}`}`,
    time: time ?? artifact.mtime,
    origin: 'automatic',
    session_id: id,
    ...columns,
    problem: problems(whole.problem, name === 'turn' && !/^\d{1,15}$/.test(text) && 'the turn is no whole number'),
    details: { file: name, ...session },
  };
}

/** A terminal command `/aidlc ...` that a hook ran in place of the agent, and what it printed. */
function* latchRows(record: JsonObject, artifact: Artifact): Generator<Draft> {
  const { raw, args, output, exitCode, ts, ...rest } = record;
  const time = fromEpochMs(ts, 'record');
  const code = typeof exitCode === 'number' && Number.isSafeInteger(exitCode) ? exitCode : null;
  const shown = typeof raw === 'string' ? raw : '';
  const typed = record.typed === true;
  const doubt = time ? '' : 'no time is recorded: the file time is that of its last writing';
  yield {
    row_type: typed ? 'prompt' : 'tool_use',
    text: shown,
    time: time ?? artifact.mtime,
    origin: typed ? 'typed' : 'agent',
    command: typed ? '' : shown,
    source_pointer: '/raw',
    problem: problems(doubt, shown === '' && 'the latch holds no command'),
    details: named('record', { ...rest, args, ...(typeof raw === 'string' ? {} : { raw }), ...(time ? {} : { ts }) }),
  };
  yield {
    row_type: 'tool_result',
    text: typeof output === 'string' ? output : '',
    time: time ?? artifact.mtime,
    command: Array.isArray(args) ? args.filter((arg) => typeof arg === 'string').join(' ') : '',
    status: code === null ? 'unknown' : code === 0 ? 'completed' : 'failed',
    outcome: code === null ? 'ambiguous' : code === 0 ? 'pass' : 'fail',
    exit_code: code,
    source_pointer: '/output',
    problem: doubt,
    details: named('record', { ...(typeof output === 'string' ? {} : { output }), ...(code === null ? { exitCode } : {}) }),
  };
}

export function firstText(record: unknown, keys: readonly string[]): string {
  if (!isObject(record)) return '';
  for (const key of keys) {
    const value = record[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
