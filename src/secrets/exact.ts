import type { Fingerprinter } from './fingerprint.js';
import { base64Forms, textForms } from './forms.js';
import { type Masked, type MaskPolicy, maskOf, masks } from './mask.js';
import { GRAM, needles } from './needles.js';
import type { Hit } from './types.js';
import { BACKSLASH } from './units.js';

/** Base64 of shorter values has too few characters of its own to be told from chance. */
const ENCODED_LEAST = 10;

/** Values that were found once and are masked wherever they occur, also where no rule sees them. */
export interface ExactValues {
  readonly add: (hit: Hit) => void;
  readonly maskExact: (text: string) => Masked;
  readonly values: () => readonly string[];
}

/**
 * Only values that the policy masks, of eight characters and more. Digits alone are left out: the number may stand in JSON
 * without quotes, where a mask would break it. A plain word is no reason to strike it out of all text.
 */
export function exactValues(policy: MaskPolicy, mark: Fingerprinter): ExactValues {
  const search = needles();
  const known: { readonly value: string; readonly mask: string }[] = [];
  const seen = new Set<string>();
  return {
    add: ({ finding, value }) => {
      const body = bodyOf(value);
      if (!masks(finding, policy) || body.length < GRAM || seen.has(body) || /^\d{1,40}$|^[a-z]{1,16}$/.test(body)) return;
      seen.add(body);
      for (const { text } of textForms(body)) search.add(text, known.length);
      // the code of the whole value first: the shorter pieces match inside any code that holds it
      search.add(Buffer.from(body, 'utf8').toString('base64'), known.length);
      if (body.length >= ENCODED_LEAST) for (const { text } of base64Forms(body)) search.add(text, known.length);
      known.push({ value: body, mask: maskOf(finding.rule, value, mark) });
    },
    maskExact: (text) => {
      const parts: string[] = [];
      let at = 0;
      let spans = 0;
      search.each(text, (tag, start, end) => {
        const from = start + escapeBefore(text, start);
        parts.push(text.slice(at, from), known[tag]?.mask ?? '');
        at = end;
        spans += 1;
      });
      return spans === 0 ? { text, spans } : { text: parts.join('') + text.slice(at), spans };
    },
    values: () => known.map(({ value }) => value),
  };
}

/**
 * Of a private key what stands behind its label; of any value what stands within its quotes: those around it may be the quotes of
 * JSON or CSV, which a mask must not swallow.
 */
function bodyOf(value: string): string {
  const label = /^(?:[A-Z0-9]{1,12} ?){0,3}:(?=[A-Za-z0-9+/=]{40})/.exec(value)?.[0] ?? '';
  return value.slice(label.length).replace(/^["'`]{1,9}|["'`]{1,9}$/g, '');
}

const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;

/** `\nSecret` may be a line feed before `ecret`: what an escape sequence needs stays, so that JSON stays JSON. */
function escapeBefore(text: string, start: number): number {
  let slashes = 0;
  while (text.charCodeAt(start - 1 - slashes) === BACKSLASH) slashes += 1;
  if (slashes % 2 === 0) return 0;
  ESCAPE.lastIndex = start;
  return ESCAPE.exec(text)?.[0].length ?? 0;
}
