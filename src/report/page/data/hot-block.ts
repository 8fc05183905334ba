/** The hot columns of all rows, as typed arrays over the one block they come in. */
import type { HotHead, HotKind, HotName } from '../../format.js';

export type Numbers = Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

export interface HotBlock {
  readonly rows: number;
  readonly columns: ReadonlyMap<HotName, Numbers>;
  /** JSON of the dictionaries by name; read by the page, which brands the texts. */
  readonly head: string;
}

const ARRAYS: Readonly<Record<HotKind, (buffer: ArrayBuffer, at: number, length: number) => Numbers>> = {
  f64: (buffer, at, length) => new Float64Array(buffer, at, length),
  u32: (buffer, at, length) => new Uint32Array(buffer, at, length),
  u16: (buffer, at, length) => new Uint16Array(buffer, at, length),
  u8: (buffer, at, length) => new Uint8Array(buffer, at, length),
};

export function parseHot(buffer: ArrayBuffer): HotBlock {
  const length = new DataView(buffer).getUint32(0, true);
  const json = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  const head: HotHead = JSON.parse(json);
  const columns = new Map(head.columns.map(({ name, kind, at }): [HotName, Numbers] => [name, ARRAYS[kind](buffer, at, head.rows)]));
  return { rows: head.rows, columns, head: json };
}

export function hotColumn(block: HotBlock, name: HotName): Numbers {
  const column = block.columns.get(name);
  if (column === undefined) throw new Error(`the page holds no column ${name}`);
  return column;
}
