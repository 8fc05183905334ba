import { base64Forms, type Form, textForms } from './forms.js';
import { GRAM, needles } from './needles.js';

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
  const search = needles();
  const forms: { readonly value: number; readonly form: Form }[] = [];
  let longest = 0;
  values.forEach((value, index) => {
    if (value.length < GRAM) return;
    for (const { form, text } of [...textForms(value), ...base64Forms(value)]) {
      // a byte per unit, so that chunks can be searched as text
      const bytes = Buffer.from(text, 'utf8').toString('latin1');
      if (!search.add(bytes, forms.length)) continue;
      forms.push({ value: index, form });
      longest = Math.max(longest, bytes.length);
    }
  });
  const found: Leak[] = [];
  let carried: Buffer = Buffer.alloc(0);
  let offset = 0;
  const push = (chunk: Buffer) => {
    // Joined as bytes: a text put together from two is searched at a third of the speed.
    const bytes = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
    const text = bytes.toString('latin1');
    let behind = Math.max(0, text.length - longest + 1);
    search.each(text, (tag, start, end) => {
      const known = forms[tag];
      if (known) found.push({ ...known, offset: offset + start });
      behind = Math.max(behind, end);
    });
    carried = Buffer.from(bytes.subarray(behind));
    offset += behind;
  };
  return { push, end: () => found };
}

export function leaks(bytes: Buffer, values: readonly string[]): Leak[] {
  const check = leakCheck(values);
  check.push(bytes);
  return check.end();
}
