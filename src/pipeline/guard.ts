import { exactValues, type Fingerprinter, type Hit, leakTest, type MaskPolicy, maskText, type Scanner } from '../secrets/index.js';
import { jsonPieces, jsonText, type MaskText, maskValues } from '../write/json-text.js';

/** The last look at what leaves the program: a value found once is masked wherever it stands, also where no rule sees it. */
export interface Guard {
  /** Undefined for bytes that are clean; else a function that cleans each of their lines. */
  readonly inspect: (block: Buffer) => ((line: Buffer) => Buffer) | undefined;
  readonly clean: (text: string) => string;
  /** A JSON document in pieces, each of its strings cleaned, so that it stays JSON. */
  readonly document: (value: object) => Iterable<string>;
  /** From here on `clean` and `document` scan as well: messages and manifest name files that no row is made from. */
  readonly watch: (scanner: Scanner, policy: MaskPolicy) => void;
  /** Lines that had to be masked here. */
  readonly lines: () => number;
}

/** How a line is masked where its format is not told: JSON by its strings. In the encoded line a value may seem to begin within an escape sequence. */
const maskLine = (line: string, mask: MaskText) => (line.startsWith('{') ? jsonText(maskValues(JSON.parse(line), mask)) : mask(line));

/** `hits` come from all threads: they are brought into one order, so that the output does not depend on who found what first. */
export function makeGuard(hits: readonly Hit[], mark: Fingerprinter, maskOne: typeof maskLine = maskLine): Guard {
  const ordered = hits.toSorted((a, b) => compare(a.value, b.value) || compare(a.finding.rule, b.finding.rule));
  // Everything in the list is to be hidden: the widest policy lets the set take all of it.
  const exact = exactValues('redact-all', mark);
  for (const hit of ordered) exact.add(hit);
  const values = exact.values();
  const known: MaskText = (text) => exact.maskExact(text).text;
  let message = known;
  let lines = 0;
  const mend = (line: Buffer): Buffer => {
    const text = line.toString('utf8');
    const masked = `${maskOne(text.slice(0, -1), known)}\n`;
    if (masked === text) return line;
    lines += 1;
    return Buffer.from(masked);
  };
  const holdsAny = leakTest(values);
  return {
    inspect: (block) => (values.length > 0 && holdsAny(block) ? mend : undefined),
    clean: (text) => message(text),
    *document(value) {
      yield* jsonPieces(value, message);
      yield '\n';
    },
    watch(scanner, policy) {
      message = (text) => known(maskText(text, scanner.scanText(text), policy, mark).text);
    },
    lines: () => lines,
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
