import { isIn } from './charset.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';
import { BACKSLASH, DASH, isAlnum, isBlank, isLineEnd } from './units.js';
import { entropy } from './values.js';

/** Longest body that is looked at; a 16384-bit RSA key is about 12 KiB. */
const MOST = 16_384;
const LEAST_BODY = 40;
const LABEL = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,3})PRIVATE KEY(?: BLOCK)?-----/y;
const DASHES = '-----';

/**
 * A private key in PEM (RFC 7468; also OpenSSH and OpenPGP), in lines, or with its line ends written as `\n`.
 * The body is walked once and ends at the next dashes, so that a megabyte of BEGIN lines costs no more than its length.
 */
export function matchPem(rules: RuleSet, text: string, start: number, report: Report): void {
  LABEL.lastIndex = start;
  const label = LABEL.exec(text)?.[1];
  if (label === undefined) return;
  const from = LABEL.lastIndex;
  const stop = bodyEnd(text, from, Math.min(text.length, from + MOST));
  if (stop - from < LEAST_BODY) return;
  const closed = text.startsWith('-----END ', stop);
  const body = bodyOf(text.slice(from, stop));
  const encrypted = label.includes('ENCRYPTED') || text.slice(from, from + 200).includes('ENCRYPTED');
  const rule = rules.byId.get(encrypted ? 'private-key-encrypted' : 'private-key');
  if (!rule || body.length < LEAST_BODY) return;
  const example = rules.suppression.isExample(body) || entropy(body) < 3;
  const end = closed ? behindEnd(text, stop) : lastBodyUnit(text, from, stop);
  report({
    rule,
    source: 'format',
    confidence: example ? 'none' : rule.confidence,
    start,
    end,
    value: `${label.trim()}:${body}`,
    ...(closed ? {} : { truncated: true }),
  });
}

/** Base64, white space, escapes, and the headers of RFC 1421 (`Proc-Type: 4,ENCRYPTED`). */
function bodyEnd(text: string, from: number, most: number): number {
  for (let at = from; at < most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === DASH) {
      if (text.startsWith(DASHES, at)) return at;
      continue;
    }
    if (isIn('base64', unit) || isBlank(unit) || isLineEnd(unit) || unit === BACKSLASH || ':,.()'.includes(text.charAt(at))) continue;
    return at;
  }
  return most;
}

/** The key itself: the same whether its lines were wrapped, escaped or joined. */
function bodyOf(raw: string): string {
  return raw
    .replace(/\\{1,8}[nrt]/g, '\n')
    .split('\n')
    .filter((line) => !line.includes(':'))
    .join('')
    .replace(/[^A-Za-z0-9+/=]/g, '');
}

function behindEnd(text: string, stop: number): number {
  const close = text.indexOf(DASHES, stop + DASHES.length);
  return close >= 0 && close - stop < 80 ? close + DASHES.length : stop + DASHES.length;
}

function lastBodyUnit(text: string, from: number, stop: number): number {
  let end = stop;
  while (end > from && !isAlnum(text.charCodeAt(end - 1)) && !'+/='.includes(text.charAt(end - 1))) end -= 1;
  return end;
}
