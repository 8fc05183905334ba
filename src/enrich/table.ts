import type { Store } from './store.js';

/** Records of a fixed number of 32-bit words, in one piece of memory that is seen as words and as doubles. */
export interface Records {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly doubles: Float64Array<ArrayBuffer>;
  readonly count: number;
}

/** Some of them in a store. */
export interface Block {
  readonly offset: number;
  readonly count: number;
}

const WORD = 4;

/** Room for some records. The width is even, so that a double may take the place of two words. */
export function room(width: number, capacity: number): Omit<Records, 'count'> {
  const buffer = new ArrayBuffer(width * capacity * WORD);
  return { words: new Uint32Array(buffer), doubles: new Float64Array(buffer) };
}

/** Records behind each other. Memory holds one chunk of them; full ones lie in the store. */
export class Table {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly doubles: Float64Array<ArrayBuffer>;
  /** All but the last are full. */
  readonly blocks: Block[] = [];
  private held = 0;

  constructor(
    readonly width: number,
    readonly capacity: number,
    private readonly store: Store,
  ) {
    const { words, doubles } = room(width, capacity);
    this.words = words;
    this.doubles = doubles;
  }

  /** Adds a record: the first of its words in `words`, half of it in `doubles`. To be filled before the next one. */
  add(): number {
    if (this.held === this.capacity) this.flush();
    return this.held++ * this.width;
  }

  /** Adds a record of another place. */
  copy({ words }: Pick<Records, 'words'>, at: number): void {
    this.words.set(words.subarray(at, at + this.width), this.add());
  }

  /** Puts what is held into the store. Only the end of a table may be less than a chunk. */
  flush(): void {
    if (this.held === 0) return;
    const bytes = new Uint8Array(this.words.buffer, 0, this.held * this.width * WORD);
    this.blocks.push({ offset: this.store.append(bytes), count: this.held });
    this.held = 0;
  }

  get length(): number {
    return this.blocks.reduce((sum, { count }) => sum + count, this.held);
  }

  /** All records, some at a time; those of one step are gone with the next. */
  *records(): Generator<Records> {
    const { width, capacity, store, blocks } = this;
    if (blocks.length > 0) yield* recordsOf({ width, blocks, capacity, store });
    if (this.held > 0) yield { words: this.words, doubles: this.doubles, count: this.held };
  }

  /** All records in one piece: in `into`, if there is room, else in a larger one. */
  whole(into: Omit<Records, 'count'>): Records {
    const count = this.length;
    if (this.blocks.length === 0) return { words: this.words, doubles: this.doubles, count };
    const target = into.words.length < count * this.width ? room(this.width, count) : into;
    let at = 0;
    for (const { words, count: some } of this.records()) {
      target.words.set(words.subarray(0, some * this.width), at);
      at += some * this.width;
    }
    return { ...target, count };
  }
}

/** Records that lie in a store, a block at a time. */
export function* recordsOf(table: {
  readonly width: number;
  readonly capacity: number;
  readonly blocks: readonly Block[];
  readonly store: Pick<Store, 'readInto'>;
}): Generator<Records> {
  const { width, capacity, blocks, store } = table;
  const { words, doubles } = room(width, capacity);
  for (const { offset, count } of blocks) {
    store.readInto(offset, new Uint8Array(words.buffer, 0, count * width * WORD));
    yield { words, doubles, count };
  }
}
