import { type ByteNeedle, type ByteNeedles, byteNeedles } from './byte-needles.js';
import { base64Forms, type Form, textForms } from './forms.js';
import { GRAM } from './needles.js';

/** A value that was to be masked and is in the output all the same. */
export interface Leak {
  /** Index in the list of values. */
  readonly value: number;
  readonly form: Form;
  /** Byte offset in the output. */
  readonly offset: number;
}

export interface LeakCheck {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => Leak[];
}

/** Looks through output bytes for values, as they stand, in JSON, percent-encoded and in base64, across the borders of chunks. */
export function leakCheck(values: readonly string[]): LeakCheck {
  const { forms, longest, search } = formsOf(values);
  const found: Leak[] = [];
  let carried: Uint8Array = Buffer.alloc(0);
  let offset = 0;
  const push = (chunk: Buffer) => {
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    let behind = Math.max(0, bytes.length - longest + 1);
    for (let match = search.next(bytes, 0); match !== undefined; match = search.next(bytes, match.end)) {
      const known = forms[match.tag];
      if (known) found.push({ ...known, offset: offset + match.start });
      behind = Math.max(behind, match.end);
    }
    carried = Uint8Array.from(bytes.subarray(behind));
    offset += behind;
  };
  return { push, end: () => found };
}

/** Tells whether bytes hold any of the values, in any of those forms. */
export function leakTest(values: readonly string[]): (bytes: Uint8Array) => boolean {
  const { search } = formsOf(values);
  return (bytes) => search.next(bytes, 0) !== undefined;
}

export function leaks(bytes: Buffer, values: readonly string[]): Leak[] {
  const check = leakCheck(values);
  check.push(bytes);
  return check.end();
}

interface Forms {
  readonly forms: readonly Omit<Leak, 'offset'>[];
  readonly search: ByteNeedles;
  /** Bytes of the longest form. */
  readonly longest: number;
}

function formsOf(values: readonly string[]): Forms {
  const forms: Omit<Leak, 'offset'>[] = [];
  const needles = new Map<string, ByteNeedle>();
  let longest = 0;
  for (const [index, value] of values.entries()) {
    if (value.length < GRAM) continue;
    for (const { form, text } of [...textForms(value), ...base64Forms(value)]) {
      if (needles.has(text)) continue;
      const bytes = Buffer.from(text, 'utf8');
      needles.set(text, { bytes, tag: forms.length });
      forms.push({ value: index, form });
      longest = Math.max(longest, bytes.length);
    }
  }
  return { forms, longest, search: byteNeedles([...needles.values()]) };
}
