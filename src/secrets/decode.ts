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

/** Undoes one level of string escapes in a value that was cut out of quoted text without parsing it. */
export function unescapeValue(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\{1,8}(?:(["'\\/])|u([0-9a-fA-F]{4}))/g, (_, sign: string | undefined, hex: string | undefined) =>
    hex === undefined ? (sign ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
