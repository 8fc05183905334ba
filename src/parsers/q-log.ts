import { isUtf8 } from 'node:buffer';
import type { FileSource, Line } from '../evidence/source.js';
import { stripAnsi } from '../evidence/text.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';
import { fromRfc3339, type Instant } from '../rows/time.js';
import { pairs, problems } from './json-store.js';
import type { FileParser } from './parser.js';

// qchat.log and mcp.log of Amazon Q Developer CLI: records of its own doing, in the folder for temporary files.
// They prove errors, starts of MCP servers and, at a raised level, requests, answers and tool output, with microseconds.
// The default level is ERROR: silence proves nothing. A file over 10 MiB is deleted at the next start; on a Linux desktop
// the folder is lost at reboot. They hold no session id and no directory unless a message names one.
// A record is one line, but messages may go on over further lines; it may carry colour codes, which are removed here.
// Versions: all. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/logging.rs, src/util/paths.rs;
// lines quoted in its issue 1025.

const RECORD_LIMIT = 1024 * 1024;
const HEAD = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z) {1,8}(TRACE|DEBUG|INFO|WARN|ERROR) (.*)$/s;
// `[spans: ]target: line: message`; spans may hold anything, so the first target with a number behind it counts.
const BODY = /^(?:(.{1,4096}?): )??([\w:.-]{1,200}): (\d{1,9}):(?: (.*))?$/s;

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

export const qLog: FileParser = { id: 'q-log', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  let open: Open | undefined;
  for (const line of source.lines()) {
    if (line.tooLong !== undefined) {
      if (open) yield recordRow(open);
      open = undefined;
      yield errorDraft(`log line of ${line.tooLong} bytes is too long to be read`, line.bytes, place(line));
      continue;
    }
    const { text, plain, damaged } = decode(line);
    const head = HEAD.exec(plain) ?? undefined;
    const full = open !== undefined && open.bytes + line.bytes.length > RECORD_LIMIT;
    if (open && (head || full)) yield recordRow(open);
    if (!open || head || full) {
      const continues = head ? undefined : (open?.continues ?? open?.line);
      open = {
        head: head ?? open?.head,
        line: line.number,
        offset: line.offset,
        parts: [],
        bytes: 0,
        colours: false,
        damaged: false,
        continues,
      };
    }
    open.parts.push(head ? (head[3] ?? '') : plain);
    open.bytes += line.bytes.length;
    open.colours ||= plain !== text;
    open.damaged ||= damaged;
  }
  if (open) yield recordRow(open);
}

const place = (line: Pick<Line, 'number' | 'offset'>) => ({ source_line: line.number, source_offset: line.offset });

function decode({ bytes, ended }: Line): { readonly text: string; readonly plain: string; readonly damaged: boolean } {
  const stored = ended && bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
  const damaged = !isUtf8(stored);
  const text = damaged ? showBytes(stored) : stored.toString('utf8');
  return { text, plain: stripAnsi(text), damaged };
}

function recordRow(open: Open): Draft {
  const { head, parts, continues } = open;
  const where = place({ number: open.line, offset: open.offset });
  const text = parts.join('\n');
  const lines = parts.length;
  if (!head) return errorDraft('lines ahead of the first log record', text, { ...where, details: { lines, text } });
  const [, stamp = '', level = ''] = head;
  const time: Instant | undefined = fromRfc3339(stamp, 'record');
  const body = continues === undefined ? BODY.exec(text) : null;
  const [, spans, target, line, message = ''] = body ?? [];
  const columns = { level, target, line: line === undefined ? undefined : Number(line), spans };
  const shown = continues === undefined ? pairs(columns) : `${pairs({ level })} continued=${continues}`;
  return {
    row_type: 'log',
    text: `log:${shown}: ${body ? message : text}`,
    time,
    origin: 'automatic',
    problem: problems(
      !time && 'the time of the record is not a date',
      continues !== undefined && `the record that begins on line ${continues} is longer than 1 MiB: this is more of it`,
      continues === undefined && !body && 'no target and line number',
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
