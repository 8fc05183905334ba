import { isUtf8 } from 'node:buffer';
import type { FileSource, Line } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';
import { fromEpochSeconds } from '../rows/time.js';
import { problems } from './json-store.js';
import type { FileParser } from './parser.js';

// `history` in the data folder of the desktop builds: shell commands of terminals with the shell integration, one entry
// per finished command, written beside the SQLite table `history` (which also holds pid, host and duration).
// It proves that a command ran in a terminal, when, where and under which terminal session; who typed it, a person or a
// program, it cannot show. Start times are whole seconds.
// The writer puts 0 for an exit code it does not know: 0 is no proof of success. A time it does not know is 0 as well.
// Versions: up to 1.10.1 in this repository, continued in aws/amazon-q-developer-cli-autocomplete. Evidence: L1,
// aws/amazon-q-developer-cli v1.9.0: crates/fig_settings/src/history.rs.

const FIELD = /^(- | {2})([a-z_]{1,40}):(?: (.*))?$/s;
// Ten digits: a number that lost some, in a file that was cut off, must not become a date before 2001.
const TIME = /^[1-9]\d{9}$/;
const ESCAPES = new Map([
  ['\\', '\\'],
  ['"', '"'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

interface Entry {
  readonly line: number;
  readonly offset: number;
  readonly fields: Map<string, string>;
  readonly problems: string[];
}

export const qShellHistory: FileParser = { id: 'q-shell-history', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  let entry: Entry | undefined;
  for (const line of source.lines()) {
    const text = decode(line);
    if (text === '') continue;
    const [, mark, key = '', value = ''] = (text === undefined ? undefined : FIELD.exec(text)) ?? [];
    if (mark === '- ') {
      if (entry) yield shellRow(entry);
      entry = { line: line.number, offset: line.offset, fields: new Map(), problems: [] };
    }
    if (mark === undefined || !entry || entry.fields.has(key)) {
      const what = faultOf(line, text);
      yield errorDraft(what, line.bytes, {
        source_line: line.number,
        source_offset: line.offset,
        details: { line: showBytes(line.bytes) },
      });
      if (entry) entry.problems.push('a line of the entry could not be read');
      continue;
    }
    entry.fields.set(key, decodeEscapes(value, entry.problems));
  }
  if (entry) yield shellRow(entry);
}

function faultOf(line: Line, text: string | undefined): string {
  if (line.tooLong !== undefined) return `line of ${line.tooLong} bytes is too long to be read`;
  return text === undefined ? 'unparseable line (not valid UTF-8)' : 'line that belongs to no shell history entry';
}

/** Empty for a blank line, absent if it is not UTF-8 or not whole. */
function decode({ bytes, ended, tooLong }: Line): string | undefined {
  if (tooLong !== undefined) return undefined;
  const stored = ended && bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
  return isUtf8(stored) ? stored.toString('utf8') : undefined;
}

function decodeEscapes(value: string, faults: string[]): string {
  let strange = false;
  const decoded = value.replace(/\\(.?)/gs, (written, kind: string) => {
    const character = ESCAPES.get(kind);
    strange ||= character === undefined;
    return character ?? written;
  });
  if (strange) faults.push('an escape the program does not write: the value is kept as stored');
  return strange ? value : decoded;
}

function shellRow({ line, offset, fields, problems: faults }: Entry): Draft {
  const { command = '', exit_code: exit = '', shell, session_id = '', cwd = '', time: stamp = '', ...rest } = Object.fromEntries(fields);
  const time = TIME.test(stamp) ? fromEpochSeconds(Number(stamp), 'record') : undefined;
  const code = /^-?\d{1,10}$/.test(exit) ? Number(exit) : null;
  return {
    row_type: 'shell',
    text: command,
    command,
    time,
    newRun: true,
    origin: 'typed',
    session_id,
    project_path: cwd,
    exit_code: code,
    outcome: code === null || code === 0 ? 'ambiguous' : 'fail',
    problem: problems(
      !fields.has('command') && 'no command',
      !time && (stamp === '' || stamp === '0' ? 'no start time is recorded' : 'the time is not one in Unix seconds'),
      ...new Set(faults),
    ),
    details: {
      ...rest,
      ...(shell === undefined ? {} : { shell }),
      ...(time || stamp === '' ? {} : { time: stamp }),
      ...(code !== null || exit === '' ? {} : { exit_code: exit }),
    },
    identity: time && `shell:${stamp}:${session_id}`,
    rank: 1,
    source_line: line,
    source_offset: offset,
  };
}
