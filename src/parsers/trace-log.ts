import { isUtf8 } from 'node:buffer';
import type { FileSource, Line } from '../evidence/source.js';
import { stripAnsi } from '../evidence/text.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';
import { fromRfc3339, type Instant } from '../rows/time.js';
import { pairs, problems } from './json-store.js';

// Log files as the Rust crate `tracing` writes them: `<time> <LEVEL> <body>`. A record is one line, but messages may go on
// over further lines; it may carry colour codes, which are removed here.

const RECORD_LIMIT = 1024 * 1024;
const HEAD = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) {1,8}(TRACE|DEBUG|INFO|WARN|ERROR) (.*)$/s;

/** What stands behind time and level, taken apart. */
export interface LogBody {
  readonly spans: string | undefined;
  readonly target: string;
  readonly line: number | undefined;
  readonly message: string;
}

/** How the program writes a body, and what is said of one that does not look so. */
export interface LogForm {
  readonly read: (body: string) => LogBody | undefined;
  readonly otherwise: string;
}

interface Open {
  readonly head: RegExpExecArray | undefined;
  readonly line: number;
  readonly offset: number;
  readonly parts: string[];
  bytes: number;
  colours: boolean;
  damaged: boolean;
  /** Line the record begins on, if it is the rest of one that grew too long. */
  readonly continues: number | undefined;
}

export function* logRows(source: FileSource, form: LogForm): Generator<Draft> {
  let open: Open | undefined;
  for (const line of source.lines()) {
    if (line.tooLong !== undefined) {
      if (open) yield recordRow(open, form);
      open = undefined;
      yield errorDraft(`log line of ${line.tooLong} bytes is too long to be read`, line.bytes, place(line));
      continue;
    }
    const { text, plain, damaged } = decode(line);
    const head = HEAD.exec(plain) ?? undefined;
    const full = open !== undefined && open.bytes + line.bytes.length > RECORD_LIMIT;
    if (open && (head || full)) yield recordRow(open, form);
    if (!open || head || full) {
      const continues = head ? undefined : (open?.continues ?? open?.line);
      const start = { line: line.number, offset: line.offset, parts: [], bytes: 0, colours: false, damaged: false };
      open = { head: head ?? open?.head, ...start, continues };
    }
    open.parts.push(head ? (head[3] ?? '') : plain);
    open.bytes += line.bytes.length;
    open.colours ||= plain !== text;
    open.damaged ||= damaged;
  }
  if (open) yield recordRow(open, form);
}

const place = (line: Pick<Line, 'number' | 'offset'>) => ({ source_line: line.number, source_offset: line.offset });

function decode({ bytes, ended }: Line): { readonly text: string; readonly plain: string; readonly damaged: boolean } {
  const stored = ended && bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
  const damaged = !isUtf8(stored);
  const text = damaged ? showBytes(stored) : stored.toString('utf8');
  return { text, plain: stripAnsi(text), damaged };
}

function recordRow(open: Open, form: LogForm): Draft {
  const { head, parts, continues } = open;
  const where = place({ number: open.line, offset: open.offset });
  const text = parts.join('\n');
  const lines = parts.length;
  if (!head) return errorDraft('lines ahead of the first log record', text, { ...where, details: { lines, text } });
  const [, stamp = '', level = ''] = head;
  const time: Instant | undefined = fromRfc3339(stamp, 'record');
  const body = continues === undefined ? form.read(text) : undefined;
  const columns = { level, target: body?.target, line: body?.line, spans: body?.spans };
  const shown = continues === undefined ? pairs(columns) : `${pairs({ level })} continued=${continues}`;
  return {
    row_type: 'log',
    text: `log:${shown}: ${body ? body.message : text}`,
    time,
    origin: 'automatic',
    problem: problems(
      !time && 'the time of the record is not a date',
      continues !== undefined && `the record that begins on line ${continues} is longer than 1 MiB: this is more of it`,
      continues === undefined && !body && form.otherwise,
      open.damaged && 'not valid UTF-8: each damaged byte is written as \\xNN',
    ),
    details: {
      ...Object.fromEntries(Object.entries(columns).filter(([, v]) => v !== undefined)),
      lines,
      ...(open.colours ? { colours_removed: true } : {}),
    },
    ...where,
  };
}
