import { isUtf8 } from 'node:buffer';
import type { FileSource, Line } from '../../evidence/source.js';
import { stripAnsi } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { apiBlockRows, isSeparator } from './log-blocks.js';
import { clientRows } from './log-client.js';

// logs/<start>/window<n>/exthost/...: `Kiro Logs.log`, `Q Chat API.log`, `q-client.log`, prompts as sent, and `.kiro/logs/*/kiro.log`.
// They prove what the extension did, requests and answers that session files no longer hold, fetched addresses, calls of MCP servers.
// Most lines bear local time without a zone: such a time is kept as text, the row is undated. Logs rotate: silence proves nothing.
// Versions: all. Evidence: L4, one note on the extension bundle, readers of `q-client.log` (2) and `Q Chat API.log` (1).

export const kiroIdeLog: FileParser = { id: 'kiro-ide-log', container: 'file', parse };

const RECORD_LIMIT = 4 << 20;
/** A block of the API log is one JSON document: cut apart it could not be read. */
const BLOCK_LIMIT = 64 << 20;
// `2026-05-01 10:00:00.123 [info] ...`, also with T, with a zone, and with the level bare.
const HEAD =
  /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(Z|[+-]\d\d:?\d\d)?\]?\s{0,4}(?:\[?(trace|debug|info|warn|warning|error|fatal)\]?:?\s)?\s{0,4}(.*)$/is;

/** A record: mostly one line, but messages go on over further lines. */
export interface LogRecord {
  readonly stamp: string;
  readonly zone: string;
  readonly level: string;
  text: string;
  readonly line: number;
  readonly offset: number;
  bytes: number;
  damaged: boolean;
}

function* parse(source: FileSource): Generator<Draft> {
  const isApi = /q chat api/i.test(source.artifact.file);
  let open: LogRecord | undefined;
  let wrote = false;
  for (const line of source.lines()) {
    if (line.tooLong !== undefined) {
      if (open) yield* recordRows(open, isApi);
      open = undefined;
      yield errorDraft(`log line of ${line.tooLong} bytes is too long to be read`, line.bytes, {
        source_line: line.number,
        source_offset: line.offset,
      });
      continue;
    }
    const { text, damaged } = decode(line);
    const separator = isApi && isSeparator(text);
    const head = HEAD.exec(text.slice(0, 200)) ? HEAD.exec(text) : null;
    const full = open !== undefined && open.bytes + line.bytes.length > (isApi ? BLOCK_LIMIT : RECORD_LIMIT);
    if (open && (head || full || separator)) {
      yield* recordRows(open, isApi);
      wrote = true;
      open = undefined;
    }
    if (separator || (open === undefined && text.trim() === '')) continue;
    if (open === undefined) {
      const [, stamp = '', zone = '', level = '', body = ''] = head ?? [];
      open = { stamp, zone, level, text: head ? body : text, line: line.number, offset: line.offset, bytes: line.bytes.length, damaged };
    } else {
      open.text += `\n${text}`;
      open.bytes += line.bytes.length;
      open.damaged ||= damaged;
    }
  }
  if (open) yield* recordRows(open, isApi);
  else if (!wrote && source.size > 0) yield { row_type: 'log', text: 'log: no records', problem: 'the file holds blank lines only' };
}

function decode({ bytes, number }: Line): { readonly text: string; readonly damaged: boolean } {
  const cut = bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
  const damaged = !isUtf8(cut);
  const text = damaged ? showBytes(cut) : cut.toString('utf8');
  return { text: stripAnsi(number === 1 ? text.replace(/^\ufeff/, '') : text), damaged };
}

function* recordRows(record: LogRecord, isApi: boolean): Generator<Draft> {
  const { stamp, zone, level, text, line, offset, damaged } = record;
  const time = zone === '' ? undefined : fromRfc3339(`${stamp.replace(' ', 'T').replace(',', '.')}${zone}`, 'record');
  const place: Partial<Draft> = {
    time,
    source_line: line,
    source_offset: offset,
    problem: problems(
      damaged && 'not valid UTF-8: each damaged byte is written as \\xNN',
      stamp !== '' && time === undefined && 'the time is local, its zone is not recorded',
    ),
    details: {
      ...(stamp !== '' && time === undefined ? { local_time: `${stamp}${zone}` } : {}),
      ...(level === '' ? {} : { level: level.toLowerCase() }),
    },
  };
  const rows = isApi ? apiBlockRows(text, place) : clientRows(text, place);
  yield { row_type: 'log', text: `log:${pairs({ level: level.toLowerCase() })}: ${text}`, origin: 'automatic', ...place };
  yield* rows;
}
