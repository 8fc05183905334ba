import { isUtf8 } from 'node:buffer';
import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, showBytes } from '../rows/problem.js';

// A prompt history: one entry per line, as the line editor of the Amazon Q and Kiro command lines wrote it.

const HEADER = '#V2';
const BOM = '\ufeff';

export interface TypedLine {
  /** The line as it stands in the file. */
  readonly written: string;
  /** The entry, without escapes where they were read; the line itself where it holds an escape the program never writes. */
  readonly text: string;
  readonly problem: string;
  readonly place: Pick<Draft, 'source_line' | 'source_offset'>;
}

/** Entries of a history. `escaped`: a line feed within one is written `\n` whether or not the header says so. */
export function* typedLines(source: FileSource, escaped: boolean): Generator<TypedLine | { readonly error: Draft }> {
  let decodes = escaped;
  for (const line of source.lines()) {
    // As the program's reader does it: a carriage return goes only with the line feed behind it.
    const bytes = line.ended && line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes;
    const place = { source_line: line.number, source_offset: line.offset };
    if (line.tooLong !== undefined) {
      yield { error: errorDraft(`unparseable line (${line.tooLong} bytes, too long to be read)`, line.bytes, place) };
      continue;
    }
    if (!isUtf8(bytes)) {
      yield { error: errorDraft('unparseable line (not valid UTF-8)', bytes, { ...place, details: { line: showBytes(bytes) } }) };
      continue;
    }
    const stored = bytes.toString('utf8');
    const written = line.number === 1 && stored.startsWith(BOM) ? stored.slice(1) : stored;
    if (line.number === 1 && written === HEADER) decodes = true;
    else if (written !== '') yield entryOf(written, decodes, line.ended, place);
  }
}

function entryOf(written: string, decodes: boolean, ended: boolean, place: TypedLine['place']): TypedLine {
  const decoded = decodes ? withoutEscapes(written) : written;
  const strange = decoded === undefined ? 'an escape the program does not write: the line is kept as stored' : '';
  const cut = ended ? '' : 'the last line has no line feed: it may be cut off';
  return { text: decoded ?? written, written, place, problem: [strange, cut].filter(Boolean).join('; ') };
}

/** Absent when the line holds an escape other than `\n` and `\\`: then it was not escaped at all. */
function withoutEscapes(written: string): string | undefined {
  let strange = false;
  const decoded = written.replace(/\\(.?)/gs, (whole, kind: string) => {
    if (kind === 'n') return '\n';
    if (kind === '\\') return '\\';
    strange = true;
    return whole;
  });
  return strange ? undefined : decoded;
}
