/** How a value may be written in an output. */
export type Form = 'raw' | 'json' | 'csv' | 'percent' | 'base64';

export interface WrittenForm {
  readonly form: Form;
  readonly text: string;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** As it stands, inside one and two JSON strings, each of them in a quoted CSV cell, and percent-encoded. */
export function textForms(value: string): WrittenForm[] {
  const once = inJson(value);
  const forms: WrittenForm[] = [{ form: 'raw', text: value }];
  if (once !== value) forms.push({ form: 'json', text: once }, { form: 'json', text: inJson(once) });
  if (value.includes('"')) forms.push(...forms.map(({ text }) => ({ form: 'csv' as const, text: text.replaceAll('"', '""') })));
  if (value.isWellFormed()) {
    const percent = encodeURIComponent(value);
    const lower = percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    for (const text of new Set([percent, lower])) if (text !== value) forms.push({ form: 'percent', text });
  }
  return forms;
}

/**
 * What every base64 text that holds the value must hold: for each of the three places a byte may have in its group, the
 * characters that the value alone decides. In both alphabets.
 */
export function base64Forms(value: string): WrittenForm[] {
  const bytes = Buffer.from(value, 'utf8');
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/={1,2}$/, '');
    const partial = (shift + bytes.length) % 3 === 0 ? 0 : 1;
    const own = encoded.slice(Math.ceil((shift * 8) / 6), encoded.length - partial);
    const url = own.replaceAll('+', '-').replaceAll('/', '_');
    return [own, ...(url === own ? [] : [url])].map((text) => ({ form: 'base64' as const, text }));
  });
}
