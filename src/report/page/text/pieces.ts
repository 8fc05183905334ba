/**
 * The one way from evidence to something a reader may see. Characters that steer a terminal, turn the reading direction, or do not
 * show at all become labelled boxes; everything else stays as it is.
 */
import { originalOf, type Raw } from './raw.js';

export interface Piece {
  readonly text: string;
  /** Absent: plain text. Present: a box, and what it stands for. */
  readonly box?: string;
}

const TERMINAL =
  '(?:\\x1b(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\\]PX^_][^\\x07\\x1b\\x9c]{0,2048}(?:\\x07|\\x1b\\\\|\\x9c)|[ -/]{0,4}[0-Z\\\\^-~])|\\x9b[0-?]{0,64}[ -/]{0,8}[@-~])';
const CONTROLS = '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f';
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const UNSEEN =
  '\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200d\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb';
const TAGS = '[\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}]+';
const VARIANTS = '[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]{2,}';
const SPECIAL = new RegExp(`${TERMINAL}|([${CONTROLS}${BIDI}${UNSEEN}])\\1*|${TAGS}|${VARIANTS}|\\p{Cs}`, 'gu');
const HARMLESS = /^[\t\n\x20-\x7e]*$/;

const C0 = 'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(' ');
const NAMES = new Map<number, string>([
  ...C0.map((name, code): [number, string] => [code, name]),
  [0x7f, 'DEL'],
  [0x85, 'NEL'],
  [0x9b, 'CSI'],
  [0xad, 'SHY'],
  [0x061c, 'ALM'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LS'],
  [0x2029, 'PS'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0xfeff, 'BOM'],
]);

export function piecesOf(raw: Raw): Piece[] {
  return pieces(originalOf(raw));
}

/** For places that hold text only: attributes, accessible names, cells of the list. Boxes become ⟦RLO⟧. */
export function plain(raw: Raw, most = 400): string {
  const text = originalOf(raw);
  const cut = text.length > most ? `${wholeCut(text, most)}…` : text;
  return HARMLESS.test(cut)
    ? cut
    : pieces(cut)
        .map(({ text, box }) => (box === undefined ? text : `⟦${text}⟧`))
        .join('');
}

/** One line of it: white space becomes single blanks. */
export const oneLine = (raw: Raw, most = 300): string => plain(raw, most).replace(/\s+/g, ' ').trim();

/** The first `most` units of a text, never half a character. */
export function wholeCut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

function pieces(text: string): Piece[] {
  if (HARMLESS.test(text)) return [{ text }];
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index) });
    found.push(boxOf(match[0]));
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from) });
  return found;
}

function boxOf(special: string): Piece {
  const characters = [...special];
  const [first = ''] = characters;
  const code = first.codePointAt(0) ?? 0;
  if (characters.length > 1 && (code === 0x1b || code === 0x9b))
    return { text: characters.map(spelled).join(''), box: 'terminal control sequence, not obeyed' };
  if (code >= 0xe0000 && code <= 0xe007f)
    return { text: `tags: ${characters.map(tagOf).join('')}`, box: `${characters.length} invisible tag characters` };
  const same = characters.every((character) => character === first);
  const label =
    same && characters.length > 1
      ? `${nameOf(code)} × ${characters.length}`
      : characters.map((c) => nameOf(c.codePointAt(0) ?? 0)).join(' ');
  return { text: label, box: hex(code) };
}

/** Inside a box: a visible character as it is, everything else by name. */
function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x1b || code === 0x9b) return nameOf(code);
  return new RegExp(SPECIAL.source, 'u').test(character) || code < 0x20 ? `<${nameOf(code)}>` : character;
}

const tagOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : `<${hex(code)}>`;
};

const nameOf = (code: number): string => NAMES.get(code) ?? hex(code);
const hex = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
