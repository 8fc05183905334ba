import { basename, dirname, extname, join } from 'node:path';

/** Bytes of a file name that stand for a key; file systems allow 255 in all. */
const LONGEST = 100;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A name of the evidence as a part of a file name on any system. */
function safePart(key: string, empty: string): string {
  const plain = key
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]/gu, '_')
    .replace(/^[.-]+|[.]+$/g, '_');
  let short = '';
  for (const character of plain) {
    if (Buffer.byteLength(short + character) > LONGEST) break;
    short += character;
  }
  if (short === '') return empty;
  return RESERVED.test(short) ? `_${short}` : short;
}

/**
 * Files for the keys of a divided timeline: `name.jsonl` becomes `name-alice.jsonl`. Keys that would share a file, also on
 * systems that do not tell capitals apart, get a number.
 */
export function splitNames(path: string, keys: readonly string[], empty: string): string[] {
  const ending = extname(path);
  const stem = join(dirname(path), basename(path, ending));
  const taken = new Set<string>();
  const latest = new Map<string, number>();
  return keys.map((key) => {
    const part = safePart(key, empty);
    let name = part;
    let number = latest.get(part.toLowerCase()) ?? 1;
    while (taken.has(name.toLowerCase())) {
      number += 1;
      name = `${part}-${number}`;
    }
    latest.set(part.toLowerCase(), number);
    taken.add(name.toLowerCase());
    return `${stem}-${name}${ending}`;
  });
}
