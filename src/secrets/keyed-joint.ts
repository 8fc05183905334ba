import { APOSTROPHE, BACKSLASH, COLON, COMMA, EQUALS, GREATER, isBlank, isLineEnd, isQuote, QUOTE, skipBlanks } from './units.js';

export const BLANKS = 40;

/**
 * How a name and a value stand together. `pair`: `"name": "PASSWORD", "value": "x"`; `list`: `define('PASSWORD', 'x')`;
 * `prose`: `the password is x`; `tight`: an equals sign without blanks; `csv`: `password,x`.
 */
export type Context = 'assign' | 'tight' | 'colon' | 'flag' | 'prose' | 'xml' | 'call' | 'pair' | 'list' | 'csv';

export interface Joint {
  readonly context: Context;
  readonly end: number;
}

const WORD_JOINTS = [' is ', ' was ', ' are ', ' \u2192 ', ' -> '];

/** What joins name and value, read from behind the name. */
export function readJoint(text: string, from: number, quotedName: boolean, flag: boolean, inTag: boolean): Joint | undefined {
  let at = from;
  if (quotedName && text.charAt(at) === ']') at += 1; // config["password"] = ...
  if (text.startsWith('[]', at)) at += 2; // passwords[] = ...
  const sign = skipBlanks(text, at, BLANKS);
  const unit = text.charCodeAt(sign);
  if (unit === EQUALS) return equalsJoint(text, sign, sign === at);
  if (unit === COLON) return colonJoint(text, sign);
  if (unit === GREATER && (inTag || quotedName)) return { context: 'xml', end: sign + 1 };
  const compound = matched(COMPOUND, text, sign);
  if (compound) return { ...compound, context: 'assign' };
  if (unit === COMMA && !quotedName && sign === at && !isBlank(text.charCodeAt(at + 1))) return { context: 'csv', end: at + 1 };
  if (unit === COMMA && quotedName) return matched(PAIR, text, sign) ?? { context: 'list', end: sign + 1 };
  if (text.charAt(sign) === '(' && sign === at && isQuote(text.charCodeAt(sign + 1))) return { context: 'call', end: sign + 1 };
  if (flag && sign > at) return { context: 'flag', end: sign };
  // PASSWORD 'x', as in SQL, and password "x"; as in the files of servers
  if (sign > at && !quotedName && (unit === APOSTROPHE || unit === QUOTE)) return { context: 'call', end: sign };
  const typed = sign > at && !quotedName ? matched(TYPE_BEHIND, text, sign) : undefined;
  if (typed) return { ...typed, context: 'assign' };
  for (const word of WORD_JOINTS) if (text.startsWith(word, at)) return { context: 'prose', end: at + word.length };
  if (quotedName && sign > at && text.startsWith('value=', sign)) return { context: 'pair', end: sign + 6 };
  if (quotedName && text.charAt(sign) === '{') return matched(DEFAULT, text, sign);
  return isLineEnd(unit) || unit === BACKSLASH ? matched(YAML_PAIR, text, sign) : undefined;
}

/** `=`, `==`, `===`, `=>`. */
function equalsJoint(text: string, sign: number, tight: boolean): Joint {
  let end = sign + 1;
  while (end - sign < 3 && (text.charCodeAt(end) === EQUALS || text.charCodeAt(end) === GREATER)) end += 1;
  return { context: tight && end === sign + 1 && !isBlank(text.charCodeAt(end)) ? 'tight' : 'assign', end };
}

/** `+=` and `.=` append, `?=` and `??=` and `||=` give what is missing. */
const COMPOUND = /(?:[+.]|\?{1,2}|\|\|)=/y;
/** `:=` of Go and make, `::=` and `:::=` of make. */
const DEFINED = /:{1,3}=/y;
/** `var password string = "x"`. */
const TYPE_BEHIND = /[A-Za-z][\w.*<>]{0,40} {0,4}=\s{0,4}(?=["'`])/y;
const TYPED = /:\s{0,4}[A-Za-z][\w<>[\]|.? ]{0,40}=\s{0,4}(?=["'`])/y;

/** `:`, `:=`, and a type between name and value (`password: string = "x"`). */
function colonJoint(text: string, sign: number): Joint {
  const defined = matched(DEFINED, text, sign);
  if (defined) return { ...defined, context: 'assign' };
  TYPED.lastIndex = sign;
  if (TYPED.test(text)) return { context: 'assign', end: TYPED.lastIndex };
  return matched(BLOCK, text, sign) ?? { context: 'colon', end: sign + 1 };
}

const PAIR = /,\s{0,40}\\{0,7}["']?value\\{0,7}["']?\s{0,8}[:=]/iy;
/** `name: DB_PASSWORD` and, on the next line, `value: x`, as in manifests of Kubernetes. */
const YAML_PAIR = /(?:\r?\n|\\{1,4}r?\\{0,4}n)[ ]{0,40}value:/y;
/** A value on the line below its name (YAML). */
const BLOCK = /:[ ]{0,4}[|>]?[-+]?\r?\n[ ]{2,40}(?=\S)/y;
/** `variable "db_password" { default = "x" }` (Terraform). */
const DEFAULT = /\{[^{}=]{0,120}default[ ]{0,8}=[ ]{0,4}(?=")/y;

function matched(pattern: RegExp, text: string, at: number): Joint | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? { context: 'pair', end: pattern.lastIndex } : undefined;
}
