import type { HotKind } from '../format.js';

const FIRST = 1024;

type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array;

const MAKE: Readonly<Record<HotKind, (length: number) => Numbers>> = {
  f64: (length) => new Float64Array(length),
  u32: (length) => new Uint32Array(length),
  u16: (length) => new Uint16Array(length),
  u8: (length) => new Uint8Array(length),
};

/** Numbers of one kind, one for each row, in memory that doubles when it is full. */
export class NumberColumn {
  length = 0;
  private values: Numbers;

  constructor(public kind: HotKind) {
    this.values = MAKE[kind](FIRST);
  }

  add(value: number): void {
    if (this.length === this.values.length) this.move(this.kind, this.length * 2);
    this.values[this.length] = value;
    this.length += 1;
  }

  at(row: number): number {
    return this.values[row] ?? Number.NaN;
  }

  set(row: number, value: number): void {
    this.values[row] = value;
  }

  /** Goes on in wider numbers. */
  widen(kind: HotKind): void {
    this.move(kind, this.values.length);
  }

  /** The bytes as they lie in the block, little-endian on every machine. */
  bytes(): Buffer {
    const { buffer, byteOffset, BYTES_PER_ELEMENT: width } = this.values;
    const bytes = Buffer.from(buffer, byteOffset, this.length * width);
    return LITTLE ? bytes : swapped(bytes, width);
  }

  private move(kind: HotKind, length: number): void {
    const wider = MAKE[kind](length);
    wider.set(this.values);
    this.values = wider;
    this.kind = kind;
  }
}

const LITTLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function swapped(bytes: Buffer, width: number): Buffer {
  const copy = Buffer.from(bytes);
  if (width === 2) copy.swap16();
  else if (width === 4) copy.swap32();
  else if (width === 8) copy.swap64();
  return copy;
}

/** Texts of one column as indexes into the list of those that differ; an index takes as few bytes as the list allows. */
export class TextColumn {
  /** In order of first use, the empty text at 0. */
  readonly values: string[] = [''];
  readonly codes = new NumberColumn('u8');
  private readonly places = new Map<string, number>([['', 0]]);

  add(value: string): void {
    let code = this.places.get(value);
    if (code === undefined) {
      code = this.values.length;
      this.values.push(value);
      this.places.set(value, code);
      if (code === 0x100) this.codes.widen('u16');
      else if (code === 0x10000) this.codes.widen('u32');
    }
    this.codes.add(code);
  }

  at(row: number): string {
    return this.values[this.codes.at(row)] ?? '';
  }
}
