import { isUtf8 } from 'node:buffer';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';

const HEADER = '#V2';
const BOM = '\ufeff';

export interface HistoryEntry {
  readonly text: string;
  /** The line as it stands in the file. */
  readonly written: string;
  readonly problem: string;
  readonly place: Pick<Draft, 'source_line' | 'source_offset'>;
}

/** Entries of a prompt history: one per line, a line feed within one as the two characters `\n`. */
export function* historyEntries(source: FileSource): Generator<HistoryEntry | { readonly error: Draft }> {
  for (const line of source.lines()) {
    const bytes = line.bytes.at(-1) === 0x0d && line.ended ? line.bytes.subarray(0, -1) : line.bytes;
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
    if (written === '' || (line.number === 1 && written === HEADER)) continue;
    const decoded = decode(written);
    const strange = decoded === undefined ? 'an escape the program does not write: the line is kept as stored' : '';
    const cut = line.ended ? '' : 'the last line has no line feed: it may be cut off';
    yield { text: decoded ?? written, written, place, problem: [strange, cut].filter(Boolean).join('; ') };
  }
}

/** Absent when the line holds an escape other than `\n` and `\\`: then it was not escaped at all. */
function decode(written: string): string | undefined {
  let strange = false;
  const decoded = written.replace(/\\(.?)/gs, (whole, kind: string) => {
    if (kind === 'n') return '\n';
    if (kind === '\\') return '\\';
    strange = true;
    return whole;
  });
  return strange ? undefined : decoded;
}
