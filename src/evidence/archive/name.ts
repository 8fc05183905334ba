import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { escapeUnsafe, showBytes } from '../../rows/problem.js';

/** What a name would do if somebody wrote a file under it. */
export type Oddity = 'absolute' | 'drive letter' | 'leads out of the archive' | 'zero byte';

/** Name of a member, made harmless: no empty components, no `.` and `..`, no root. */
export interface MemberName {
  readonly parts: readonly string[];
  /** As stored, safe to print. */
  readonly stored: string;
  readonly oddities: readonly Oddity[];
  /** Ends like a folder. */
  readonly folder: boolean;
}

const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';
const LONGEST_STORED = 300;

/** `text`: as stored; `path`: the same with slashes between its components. */
export function cleanName(text: string, path = text): MemberName {
  const oddities: Oddity[] = [];
  if (path.startsWith('/')) oddities.push('absolute');
  const all = path.split('/').filter((part) => part !== '' && part !== '.');
  if (/^[a-z]:/i.test(all[0] ?? '')) oddities.push('drive letter');
  if (all.includes('..')) oddities.push('leads out of the archive');
  if (path.includes('\0')) oddities.push('zero byte');
  const parts = all.filter((part) => part !== '..');
  // `C:` and `C:file` alike: the letter stands for a folder.
  if (oddities.includes('drive letter')) {
    const [, letter = '', rest = ''] = /^(.):(.*)$/s.exec(parts[0] ?? '') ?? [];
    parts.splice(0, 1, letter, ...(rest === '' ? [] : [rest]));
  }
  const shown = escapeUnsafe(text.slice(0, LONGEST_STORED));
  const stored = text.length > LONGEST_STORED ? `${shown} ...[${text.length} characters]` : shown;
  return { parts, stored, oddities, folder: path.endsWith('/') || /(?:^|\/)\.$/.test(path) };
}

/** Name in a ZIP; `backslashes` separate folders where the archive was made on Windows. */
export function zipName(raw: Buffer, utf8: boolean, extra: readonly ExtraField[], backslashes: boolean): MemberName {
  const text = zipNameText(raw, utf8, extra);
  // Among bytes a backslash is one; in the text it may stand for a byte that is no character.
  return cleanName(text, backslashes ? zipNameText(withSlashes(raw), utf8, extra) : text);
}

const withSlashes = (raw: Buffer) => raw.map((byte) => (byte === 0x5c ? 0x2f : byte));

interface ExtraField {
  readonly id: number;
  readonly data: Buffer;
}

/** Text of a name in a ZIP: UTF-8 where the archive says so or the bytes are nothing else, else the character set of DOS. */
function zipNameText(raw: Uint8Array, utf8: boolean, extra: readonly ExtraField[]): string {
  const unicode = extra.find(({ id, data }) => id === 0x7075 && data.length > 5 && data[0] === 1)?.data;
  if (unicode !== undefined && unicode.readUInt32LE(1) === crc32(raw)) return showBytes(unicode.subarray(5));
  if (utf8 || isUtf8(raw)) return showBytes(raw);
  return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP437[byte - 0x80])).join('');
}
