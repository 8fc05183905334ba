import { AT, INDEX_WIDTH, type IndexPart, LEADS, NEW_RUN, RANK_SHIFT, type Segment } from './row-index.js';
import type { Store } from './store.js';
import { room } from './table.js';

/** An index with the file that holds it and the rows. */
export interface FiledPart extends IndexPart {
  /** Number of the run file. */
  readonly file: number;
  readonly store: Pick<Store, 'readInto'>;
}

interface Span extends Segment {
  readonly part: FiledPart;
  /** Place of its first row. */
  readonly place: number;
}

const BYTES = INDEX_WIDTH * 4;

/**
 * The rows of all units by their place: unit by unit in the order of the evidence, rows of a unit as they were read. Units may
 * have been read in any order, by any thread, and one unit in several parts.
 */
export class IndexedRows {
  readonly length: number;
  private readonly spans: readonly Span[];
  /** Place of the first row of each segment, by part. */
  private readonly places: ReadonlyMap<FiledPart, Float64Array>;

  constructor(parts: readonly FiledPart[]) {
    const places = new Map(parts.map((part) => [part, new Float64Array(part.segments.length)]));
    // Sorting is stable: parts of one unit stay in the order in which they were given out.
    const segments = parts.flatMap((part) => part.segments.map((segment, number) => ({ ...segment, part, number })));
    let place = 0;
    this.spans = segments
      .sort((a, b) => a.unit - b.unit)
      .map(({ number, ...segment }) => {
        const span = { ...segment, place };
        places.get(segment.part)?.fill(place, number, number + 1);
        place += segment.count;
        return span;
      });
    this.length = place;
    this.places = places;
  }

  /** The place of a row by its number in a part. Rows are asked for in the order of the part. */
  placer(part: FiledPart): (row: number) => number {
    const places = this.places.get(part);
    let at = 0;
    return (row) => {
      let segment = part.segments[at];
      while (segment !== undefined && row >= segment.first + segment.count) segment = part.segments[++at];
      return (places?.[at] ?? 0) + row - (segment?.first ?? 0);
    };
  }

  /** Looks at rows, and reads so many at a time. */
  reader(window: number): RowReader {
    return new RowReader(this.spans, window);
  }
}

/** Looks at one row after the other. */
export class RowReader {
  private readonly words: Uint32Array<ArrayBuffer>;
  private readonly doubles: Float64Array<ArrayBuffer>;
  private span: Span | undefined;
  private spanNumber = 0;
  /** What is in the window. */
  private part: FiledPart | undefined;
  private first = 0;
  private count = 0;
  private at = 0;

  constructor(
    private readonly spans: readonly Span[],
    private readonly window: number,
  ) {
    const { words, doubles } = room(INDEX_WIDTH, window);
    this.words = words;
    this.doubles = doubles;
    this.span = spans[0];
  }

  /** Looks at the row of a place, which must be one. */
  seek(place: number): this {
    let { span } = this;
    if (span === undefined || place < span.place || place >= span.place + span.count) span = this.find(place);
    const row = span.first + place - span.place;
    if (span.part !== this.part || row < this.first || row >= this.first + this.count) this.load(span.part, row);
    this.at = (row - this.first) * INDEX_WIDTH;
    return this;
  }

  get ms(): number {
    return this.doubles[this.at / 2] ?? Number.NaN;
  }
  get offset(): number {
    return this.doubles[this.at / 2 + 1] ?? 0;
  }
  get startsRun(): boolean {
    return ((this.words[this.at + AT.flags] ?? 0) & NEW_RUN) !== 0;
  }
  get leads(): boolean {
    return ((this.words[this.at + AT.flags] ?? 0) & LEADS) !== 0;
  }
  get rank(): number {
    return (this.words[this.at + AT.flags] ?? 0) >>> RANK_SHIFT;
  }
  get file(): number {
    return this.part?.file ?? 0;
  }
  word(name: keyof typeof AT): number {
    return this.words[this.at + AT[name]] ?? 0;
  }

  private find(place: number): Span {
    const next = this.spans[this.spanNumber + 1];
    let low = 0;
    if (next !== undefined && place >= next.place && place < next.place + next.count) low = this.spanNumber + 1;
    else
      for (let high = this.spans.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if ((this.spans[middle]?.place ?? 0) <= place) low = middle;
        else high = middle - 1;
      }
    const span = this.spans[low];
    if (span === undefined) throw new Error('no row at this place');
    this.spanNumber = low;
    this.span = span;
    return span;
  }

  private load(part: FiledPart, row: number): void {
    const inBlock = row % part.capacity;
    const block = part.blocks[(row - inBlock) / part.capacity];
    if (block === undefined) throw new Error('the index of a row is missing');
    this.part = part;
    this.first = row;
    this.count = Math.min(this.window, block.count - inBlock);
    part.store.readInto(block.offset + inBlock * BYTES, new Uint8Array(this.words.buffer, 0, this.count * BYTES));
  }
}
