/** UTF-16 code units that the readers look at. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const APOSTROPHE = 39;
export const COMMA = 44;
export const DASH = 45;
export const DOT = 46;
export const COLON = 58;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const BACKSLASH = 92;
export const UNDERSCORE = 95;
export const BACKTICK = 96;

export const isDigit = (unit: number) => unit >= 48 && unit <= 57;
export const isLetter = (unit: number) => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
export const isAlnum = (unit: number) => isLetter(unit) || isDigit(unit);
export const isNameUnit = (unit: number) => isAlnum(unit) || unit === UNDERSCORE || unit === DASH || unit === DOT;
export const isBlank = (unit: number) => unit === SPACE || unit === TAB;
export const isQuote = (unit: number) => unit === QUOTE || unit === APOSTROPHE || unit === BACKTICK;
export const isLineEnd = (unit: number) => unit === LF || unit === CR;
const isHex = (unit: number) => isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);

export function skipBlanks(text: string, from: number, most: number): number {
  let at = from;
  while (at - from < most && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

export function skipBackslashes(text: string, from: number, most: number): number {
  let at = from;
  while (at - from < most && text.charCodeAt(at) === BACKSLASH) at += 1;
  return at;
}

/** True for `\n`, `\r`, `\t` written as two (or, escaped again, more) characters: the line ends there in the text that was quoted. */
export function isWrittenBreak(text: string, backslash: number): boolean {
  const unit = text.charCodeAt(skipBackslashes(text, backslash, 7));
  return unit === 110 || unit === 114 || unit === 116;
}

/**
 * True when a token may begin at `at`: no letter or digit before it, or one that belongs to an escape
 * (`\n`, `\u003d`, `%3D`), which is how quoted text writes its line ends and signs.
 */
export function isBoundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (!isAlnum(before)) return true;
  if (text.charCodeAt(at - 2) === BACKSLASH) return before === 110 || before === 114 || before === 116;
  if (!isHex(before) || !isHex(text.charCodeAt(at - 2))) return false;
  if (text.charCodeAt(at - 3) === 37) return true;
  return text.charCodeAt(at - 5) === 117 && text.charCodeAt(at - 6) === BACKSLASH;
}
