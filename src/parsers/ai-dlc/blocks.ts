import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { decodedLine, NOT_UTF8 } from './text.js';

/** A block of an audit shard: a heading, then `**Key**: value` lines; blocks are parted by a line `---`. */
export interface Block {
  readonly title: string;
  /** In stored order. A key that stands twice has both values. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** Lines that are neither. */
  readonly text: string;
  readonly line: number;
  readonly offset: number;
  readonly problem: string;
  /** The file ends within it, without a line feed. */
  readonly cut: boolean;
}

interface Open {
  title: string;
  readonly fields: [string, string][];
  readonly text: string[];
  readonly line: number;
  readonly offset: number;
  damaged: boolean;
  cut: boolean;
}

const RULE = /^---\s*$/;
const HEADING = /^##\s+(.*)$/;
const TITLE = /^#\s+\S/;
const FIELD = /^(?:[-*]\s+)?\*\*([^*]{1,100})\*\*:\s?(.*)$/;
/** A shard is written to without end; a block of it is not. */
const MOST_LINES = 10_000;

export function* auditBlocks(source: FileSource): Generator<Block | { readonly error: Draft }> {
  let open: Open | undefined;
  for (const line of source.lines()) {
    if (line.tooLong !== undefined) {
      if (open) yield blockOf(open);
      open = undefined;
      const place = { source_line: line.number, source_offset: line.offset };
      yield { error: errorDraft(`audit line of ${line.tooLong} bytes is too long to be read`, line.bytes, place) };
      continue;
    }
    const { text, problem } = decodedLine(line);
    const heading = HEADING.exec(text);
    const full = open !== undefined && open.text.length + open.fields.length >= MOST_LINES;
    // A heading begins a block also where the line between the blocks is missing.
    if (open && (RULE.test(text) || heading || full)) {
      yield blockOf(open);
      open = undefined;
    }
    if (RULE.test(text) || (open === undefined && (text.trim() === '' || TITLE.test(text)))) continue;
    open ??= { title: '', fields: [], text: [], line: line.number, offset: line.offset, damaged: false, cut: false };
    open.damaged ||= problem !== '';
    open.cut = !line.ended;
    const field = FIELD.exec(text);
    if (heading) open.title = heading[1]?.trim() ?? '';
    else if (field && open.text.length === 0) open.fields.push([field[1] ?? '', field[2] ?? '']);
    else if (text.trim() !== '') open.text.push(text);
  }
  if (open) yield blockOf(open);
}

function blockOf({ title, fields, text, line, offset, damaged, cut }: Open): Block {
  return { title, fields, text: text.join('\n'), line, offset, problem: damaged ? NOT_UTF8 : '', cut };
}
