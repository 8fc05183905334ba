import { exactValues, type Fingerprinter, type Hit, type LeakCheck, leakCheck } from '../secrets/index.js';

/** The last look at what leaves the program: a value found once is masked wherever it stands, also where no rule sees it. */
export interface Guard {
  /** Undefined for bytes that are clean; else a function that cleans each of their lines. */
  readonly inspect: (block: Buffer) => ((line: Buffer) => Buffer) | undefined;
  readonly clean: (text: string) => string;
  /** Lines that had to be masked here. */
  readonly lines: () => number;
}

const NOTHING: Guard = { inspect: () => undefined, clean: (text) => text, lines: () => 0 };

/** `hits` come from all threads: they are brought into one order, so that the output does not depend on who found what first. */
export function makeGuard(hits: readonly Hit[], mark: Fingerprinter): Guard {
  if (hits.length === 0) return NOTHING;
  const ordered = hits.toSorted((a, b) => compare(a.value, b.value) || compare(a.finding.rule, b.finding.rule));
  // Everything in the list is to be hidden: the widest policy lets the set take all of it.
  const exact = exactValues('redact-all', mark);
  for (const hit of ordered) exact.add(hit);
  const values = exact.values();
  let lines = 0;
  const clean = (line: Buffer): Buffer => {
    const masked = exact.maskExact(line.toString('utf8'));
    if (masked.spans === 0) return line;
    lines += 1;
    return Buffer.from(masked.text);
  };
  let check: LeakCheck = leakCheck(values);
  let seen = 0;
  return {
    inspect(block) {
      check.push(block);
      const found = check.end().length;
      const dirty = found > seen;
      seen = found;
      if (seen > 10_000) {
        check = leakCheck(values);
        seen = 0;
      }
      return dirty ? clean : undefined;
    },
    clean: (text) => exact.maskExact(text).text,
    lines: () => lines,
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
