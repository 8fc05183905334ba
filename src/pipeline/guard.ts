import type { Row } from '../rows/row.js';
import {
  exactValues,
  type Fingerprinter,
  type Hit,
  type LeakCheck,
  leakCheck,
  type MaskPolicy,
  maskText,
  type Scanner,
} from '../secrets/index.js';
import { jsonLine } from '../write/jsonl.js';

/** The last look at what leaves the program: a value found once is masked wherever it stands, also where no rule sees it. */
export interface Guard {
  /** Undefined for bytes that are clean; else a function that cleans each of their lines. */
  readonly inspect: (block: Buffer) => ((line: Buffer) => Buffer) | undefined;
  /** A message, or a JSON document: of one each string is cleaned, so that it stays JSON. */
  readonly clean: (text: string) => string;
  /** From here on `clean` scans as well: messages and manifest name files that no row is made from. */
  readonly watch: (scanner: Scanner, policy: MaskPolicy) => void;
  /** Lines that had to be masked here. */
  readonly lines: () => number;
}

type MaskOne = (text: string) => string;

/** `hits` come from all threads: they are brought into one order, so that the output does not depend on who found what first. */
export function makeGuard(hits: readonly Hit[], mark: Fingerprinter): Guard {
  const ordered = hits.toSorted((a, b) => compare(a.value, b.value) || compare(a.finding.rule, b.finding.rule));
  // Everything in the list is to be hidden: the widest policy lets the set take all of it.
  const exact = exactValues('redact-all', mark);
  for (const hit of ordered) exact.add(hit);
  const values = exact.values();
  const known: MaskOne = (text) => exact.maskExact(text).text;
  let message = known;
  let lines = 0;
  const mend = (line: Buffer): Buffer => {
    const text = line.toString('utf8');
    const masked = text.startsWith(JSON_ROW) ? maskedRow(text, known) : known(text);
    if (masked === text) return line;
    lines += 1;
    return Buffer.from(masked);
  };
  let check: LeakCheck = leakCheck(values);
  let seen = 0;
  return {
    inspect(block) {
      if (values.length === 0) return undefined;
      check.push(block);
      const found = check.end().length;
      const dirty = found > seen;
      seen = found;
      if (seen > 10_000) {
        check = leakCheck(values);
        seen = 0;
      }
      return dirty ? mend : undefined;
    },
    clean: (text) => (text.startsWith('{') ? maskedDocument(text, message) : message(text)),
    watch(scanner, policy) {
      message = (text) => known(maskText(text, scanner.scanText(text), policy, mark).text);
    },
    lines: () => lines,
  };
}

const JSON_ROW = '{"timestamp_utc":';

/** A row is masked by its strings: in the encoded line a value may seem to begin within an escape sequence. */
function maskedRow(line: string, one: MaskOne): string {
  const row: Row = JSON.parse(line);
  return `${jsonLine(masked(row, one))}\n`;
}

function maskedDocument(text: string, one: MaskOne): string {
  const document: unknown = JSON.parse(text);
  return `${JSON.stringify(masked(document, one), null, 2)}\n`;
}

/** The value with all of its strings masked, the names of members too. */
function masked<T>(value: T, one: MaskOne): T;
function masked(value: unknown, one: MaskOne): unknown {
  if (typeof value === 'string') return one(value);
  if (Array.isArray(value)) return value.map((item: unknown) => masked(item, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [one(name), masked(member, one)]));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
