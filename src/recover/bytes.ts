/** Numbers of the SQLite file format: big-endian integers, varints, serial types (section 1.6, 2.1). */

export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

export function u32(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) * 0x1000000 + (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
}

export function u32le(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3] ?? 0) * 0x1000000 + (((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at] ?? 0));
}

/** A varint: its value (exact up to 2^53) and where the next field begins. Beyond the end of the bytes, `next` is -1. */
export interface Varint {
  readonly value: number;
  readonly next: number;
}

export function varint(bytes: Uint8Array, at: number): Varint {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return { value: 0, next: -1 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + i + 1 };
  }
  const last = bytes[at + 8];
  return last === undefined ? { value: 0, next: -1 } : { value: value * 256 + last, next: at + 9 };
}

/** Bytes that a value of this serial type takes in the body; -1 for the two reserved types. */
export function serialSize(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, -1, -1][type] ?? -1;
}

export const isText = (type: number): boolean => type >= 13 && type % 2 === 1;

/** A signed integer of 1 to 8 bytes, as a number. */
export function signed(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return size > 0 && (bytes[at] ?? 0) >= 0x80 ? value - 256 ** size : value;
}

/** Value of an integer column by its serial type; undefined for anything that is not an integer. */
export function integerOf(bytes: Uint8Array, at: number, type: number): number | undefined {
  if (type === 8 || type === 9) return type - 8;
  return type >= 1 && type <= 6 ? signed(bytes, at, serialSize(type)) : undefined;
}

/** Bytes of a payload that stay in the page (section 1.6). Table leaves and all index pages have different bounds. */
export function localSize(payload: number, usable: number, tableLeaf: boolean): number {
  const most = tableLeaf ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (payload <= most) return payload;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fit = least + ((payload - least) % (usable - 4));
  return fit <= most ? fit : least;
}

/** A freed page that never held text, or was wiped. */
export function isZero(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false;
  return true;
}
