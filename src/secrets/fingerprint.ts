import { createHmac } from 'node:crypto';

/** `s1:` and 16 hex digits: the same for the same value and key, and of no use without the key. */
export function fingerprint(value: string, key: Buffer): string {
  return `s1:${createHmac('sha256', key).update(value, 'utf8').digest('hex').slice(0, 16)}`;
}

export type Fingerprinter = (value: string) => string;

const CACHED = 10_000;

export function fingerprinter(key: Buffer): Fingerprinter {
  const known = new Map<string, string>();
  return (value) => {
    const cached = known.get(value);
    if (cached !== undefined) return cached;
    if (known.size >= CACHED) known.clear();
    const made = fingerprint(value, key);
    known.set(value, made);
    return made;
  };
}
