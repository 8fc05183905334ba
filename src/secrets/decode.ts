import { isAll } from './charset.js';

const LEAST = 8;
const MOST = 65_536;

/** The text that base64 (either alphabet) stands for, if it is text: printable UTF-8. */
export function base64Text(value: string): string | undefined {
  const body = value
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (body.length < LEAST || body.length > MOST || body.length % 4 === 1 || !isAll('base64', body)) return undefined;
  const text = Buffer.from(body, 'base64').toString('utf8');
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd]/.test(text) ? undefined : text;
}

export function percentText(value: string): string | undefined {
  if (!/%[0-9A-Fa-f]{2}/.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined; // not UTF-8, or a stray sign: as it stands
  }
}

/**
 * Where the credential of a header or variable lies within its value, and what it stands for: not its quotes or its scheme, and of
 * basic authentication the password. So it is the same value as where it stands alone.
 */
export function credentialIn(text: string): { readonly start: number; readonly end: number; readonly value: string } {
  const quote = /^\s{0,8}(["'])(?=[^]{1,65536}\1\s{0,8}$)/.exec(text);
  const start = quote?.[0].length ?? 0;
  const end = quote ? text.lastIndexOf(quote[1] ?? '') : text.length;
  const scheme = /^(?:(basic)|bearer|token|bot|apikey) {1,4}(?=\S)/i.exec(text.slice(start, start + 16));
  const from = start + (scheme?.[0].length ?? 0);
  const value = unescapeValue(text.slice(from, end));
  return { start: from, end, value: (scheme?.[1] === undefined ? undefined : basicPassword(value)) ?? value };
}

/** The password of basic authentication (RFC 7617); the user where there is no password, as tokens are sent. */
export function basicPassword(encoded: string): string | undefined {
  const text = base64Text(encoded);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return text.slice(colon + 1) || text.slice(0, colon) || undefined;
}

/** Undoes one level of string escapes in a value that was cut out of quoted text without parsing it. */
export function unescapeValue(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\{1,8}(?:(["'\\/])|u([0-9a-fA-F]{4}))/g, (_, sign: string | undefined, hex: string | undefined) =>
    hex === undefined ? (sign ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
