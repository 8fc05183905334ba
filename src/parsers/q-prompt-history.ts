import { isUtf8 } from 'node:buffer';
import type { FileSource, Line } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';
import type { FileParser } from './parser.js';

// .cli_bash_history of Amazon Q Developer CLI: what a person typed at the chat prompt and at confirmation questions,
// slash commands and `!` shell commands included; never y, n or t, lines that start with white space, or a repetition.
// It proves that a text was typed. It cannot show when, in which session or project, or whether it was answered; at most
// 100 entries are kept, a killed process saved nothing, and two processes interleave.
// Written by rustyline. With the header `#V2`, `\n` and `\\` are escapes; without it every line, also the first, is an entry
// as written. The vendor's reader refuses the whole file for one line that is not UTF-8; here that line is an error row.
// Versions: from 1.16.0. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/prompt.rs, input_source.rs;
// kkawakam/rustyline v15.0.0: src/history.rs.

const HEADER = '#V2';
const BOM = '\ufeff';

export const qPromptHistory: FileParser = { id: 'q-prompt-history', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  let escaped = false;
  for (const line of source.lines()) {
    const bytes = withoutReturn(line);
    if (bytes.length === 0) continue;
    const place = { source_line: line.number, source_offset: line.offset };
    if (line.tooLong !== undefined) {
      yield errorDraft(`line of ${line.tooLong} bytes is too long to be read`, line.bytes, place);
      continue;
    }
    if (!isUtf8(bytes)) {
      yield errorDraft('unparseable line (not valid UTF-8)', bytes, { ...place, details: { line: showBytes(bytes) } });
      continue;
    }
    const stored = bytes.toString('utf8');
    const written = line.number === 1 && stored.startsWith(BOM) ? stored.slice(1) : stored;
    if (line.number === 1 && written === HEADER) escaped = true;
    else if (written !== '') yield { ...promptRow(written, escaped, line.ended), ...place };
  }
}

function promptRow(written: string, escaped: boolean, ended: boolean): Draft {
  const decoded = escaped ? decodeEscapes(written) : written;
  const text = decoded ?? written;
  const doubts = [
    decoded === undefined ? 'an escape the program does not write: the line is kept as stored' : '',
    ended ? '' : 'the last line has no line feed: it may be cut off',
  ];
  return {
    row_type: 'prompt',
    text,
    origin: 'typed',
    command: text.startsWith('!') ? text.slice(1).trim() : '',
    problem: doubts.filter(Boolean).join('; '),
    rank: 3,
    textKey: text,
    textOnly: true,
  };
}

/** Absent when the line holds an escape the writer never makes: the vendor's reader then keeps all of it undecoded. */
function decodeEscapes(written: string): string | undefined {
  let strange = false;
  const decoded = written.replace(/\\(.?)/gs, (whole, kind: string) => {
    if (kind === 'n') return '\n';
    if (kind === '\\') return '\\';
    strange = true;
    return whole;
  });
  return strange ? undefined : decoded;
}

/** As the program's reader does it: a carriage return goes only with the line feed behind it. */
function withoutReturn(line: Line): Buffer {
  return line.ended && line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes;
}
