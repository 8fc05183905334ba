import { BLANKS, type Context, readJoint } from './keyed-joint.js';
import {
  BACKSLASH,
  COLON,
  COMMA,
  DASH,
  DOT,
  EQUALS,
  GREATER,
  isBlank,
  isLineEnd,
  isNameUnit,
  isQuote,
  isWrittenBreak,
  LESS,
  SPACE,
  skipBackslashes,
  skipBlanks,
} from './units.js';

export interface Keyed {
  readonly name: string;
  readonly nameStart: number;
  readonly context: Context;
  readonly quoted: boolean;
  /** Unquoted values only: the name is the first thing on its line, but for a keyword of the shell or a dash of YAML. */
  readonly lineStart: boolean;
  /** A scheme stood before the value: `Bearer`, `Basic`, `Token`. */
  readonly scheme: string;
  readonly start: number;
  readonly end: number;
  /** The text ends before the quote is closed. */
  readonly cut: boolean;
}

const NAME_MOST = 64;
const VALUE_MOST = 4096;
const ESCAPES = 7;
const INDENT = 48;
/** How often its own length the values inside a value may be together. */
const NESTED_MOST = 2;

/** Reads what stands around keyword hits of one text. Each name is read once, however many keywords it holds. */
export type KeyedReader = (hitStart: number, hitEnd: number) => Keyed | undefined;

export function keyedReader(text: string): KeyedReader {
  let readTo = 0;
  let outerEnd = 0;
  let budget = 0;
  const unquotedEnd = unquotedRuns(text);
  return (hitStart, hitEnd) => {
    if (hitStart < readTo) return undefined;
    let from = hitStart;
    while (from > 0 && hitStart - from < NAME_MOST && isNameUnit(text.charCodeAt(from - 1))) from -= 1;
    let to = hitEnd;
    while (to < text.length && to - hitEnd < NAME_MOST && isNameUnit(text.charCodeAt(to))) to += 1;
    readTo = to;
    if (hitStart - from >= NAME_MOST || to - hitEnd >= NAME_MOST) return undefined;
    while (to > hitEnd && (text.charCodeAt(to - 1) === DOT || text.charCodeAt(to - 1) === DASH)) to -= 1;
    let dashes = 0;
    while (text.charCodeAt(from + dashes) === DASH) dashes += 1;
    // `\npassword=x` in quoted text: the n belongs to the escape
    const escape = dashes === 0 && text.charCodeAt(from - 1) === BACKSLASH && from < hitStart && isWrittenBreak(text, from - 1) ? 1 : 0;
    const keyed = readFrom(text, from, from + dashes + escape, to, dashes > 0 || isSet(text, from), unquotedEnd);
    if (!keyed) return undefined;
    if (keyed.nameStart >= outerEnd) {
      outerEnd = keyed.end;
      budget = NESTED_MOST * (keyed.end - keyed.start) + NAME_MOST;
      return keyed;
    }
    // a name inside a value: real ones share its length, while `password=password=...` would be read again and again
    budget -= keyed.end - keyed.start;
    return budget < 0 ? undefined : keyed;
  };
}

/** `ENV NAME value` and `setx NAME value` have only a blank between them. */
function isSet(text: string, nameStart: number): boolean {
  return text.charCodeAt(nameStart - 1) === SPACE && (text.startsWith('ENV', nameStart - 4) || text.startsWith('setx', nameStart - 5));
}

function readFrom(text: string, edge: number, nameStart: number, nameEnd: number, flag: boolean, runEnd: RunEnd): Keyed | undefined {
  const closing = skipBackslashes(text, nameEnd, ESCAPES);
  const quotedName = isQuote(text.charCodeAt(closing));
  const joint = readJoint(text, quotedName ? closing + 1 : nameEnd, quotedName, flag, text.charCodeAt(edge - 1) === LESS);
  if (!joint) return undefined;
  const name = text.slice(nameStart, nameEnd);
  const at = skipBlanks(text, joint.end, BLANKS);
  const value =
    joint.context === 'xml' ? xmlValue(text, joint.end) : (quotedValue(text, at) ?? unquotedValue(text, at, joint.context, runEnd));
  if (!value || value.end <= value.start || (!value.quoted && quotedName)) return undefined;
  const { quoted, scheme, start, end, cut } = value;
  return { name, nameStart, context: joint.context, quoted, lineStart: !quoted && startsLine(text, edge), scheme, start, end, cut };
}

interface Value {
  readonly quoted: boolean;
  readonly scheme: string;
  readonly start: number;
  readonly end: number;
  readonly cut: boolean;
}

const SCHEME = /(?:bearer|basic|token|bot|apikey)[ ]{1,4}/iy;

function schemeAt(text: string, at: number): string {
  SCHEME.lastIndex = at;
  return SCHEME.test(text) ? text.slice(at, SCHEME.lastIndex) : '';
}

const LITERAL_PREFIX = /(?:[rbuf@]|new String\(|os\.environ\.get\([^()"']{0,80},\s?)(?=["'])/y;

/** A value in quotes that are escaped as often at its end as at its beginning. */
function quotedValue(text: string, from: number): Value | undefined {
  LITERAL_PREFIX.lastIndex = from;
  const at = LITERAL_PREFIX.test(text) ? LITERAL_PREFIX.lastIndex : from;
  const open = skipBackslashes(text, at, ESCAPES);
  const quote = text.charCodeAt(open);
  if (!isQuote(quote)) return undefined;
  const depth = open - at;
  const scheme = schemeAt(text, open + 1);
  const start = open + 1 + scheme.length;
  const most = Math.min(text.length, start + VALUE_MOST);
  for (let end = start; end < most; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit === quote && depth === 0) return { quoted: true, scheme, start, end, cut: false };
    if (isLineEnd(unit)) return undefined;
    if (unit !== BACKSLASH) continue;
    const behind = skipBackslashes(text, end, most);
    const count = behind - end;
    if (text.charCodeAt(behind) === quote && (depth > 0 ? count <= depth : count % 2 === 0))
      return { quoted: true, scheme, start, end: depth > 0 ? end : behind, cut: false };
    end = depth > 0 || count % 2 === 0 ? behind - 1 : behind;
  }
  return most === text.length ? { quoted: true, scheme, start, end: most, cut: true } : undefined;
}

const SPACES = 80;

/** What stands in an element, on its line or on one of its own. */
function xmlValue(text: string, from: number): Value | undefined {
  const start = skipSpaces(text, from);
  const most = Math.min(text.length, start + VALUE_MOST);
  let end = start;
  while (end < most && text.charCodeAt(end) !== LESS && !isLineEnd(text.charCodeAt(end))) end += 1;
  return text.startsWith('</', skipSpaces(text, end)) ? { quoted: true, scheme: '', start, end, cut: false } : undefined;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at - from < SPACES && (isBlank(text.charCodeAt(at)) || isLineEnd(text.charCodeAt(at)))) at += 1;
  return at;
}

function unquotedValue(text: string, from: number, context: Context, runEnd: RunEnd): Value | undefined {
  if (context === 'call' || context === 'list' || text.startsWith('--', from)) return undefined;
  const scheme = schemeAt(text, from);
  const start = from + scheme.length;
  let end = Math.min(runEnd(start), start + VALUE_MOST);
  if ('([{'.includes(text.charAt(end)) && end < text.length) return undefined; // a call or an index, not a value
  const isProse = context === 'prose' || context === 'colon';
  while (isProse && end > start && '.,:?'.includes(text.charAt(end - 1)) && endsSentence(text, end)) end -= 1;
  return { quoted: false, scheme, start, end, cut: false };
}

/** A stop before a blank or the end belongs to the sentence; an exclamation mark may as well end a password. */
function endsSentence(text: string, end: number): boolean {
  return end === text.length || isBlank(text.charCodeAt(end)) || isLineEnd(text.charCodeAt(end));
}

type RunEnd = (from: number) => number;

/** Ends of unquoted values, the last one remembered, so that `password=password=...` is walked once. */
function unquotedRuns(text: string): RunEnd {
  let start = 0;
  let end = -1;
  return (from) => {
    if (from >= start && from < end) return end;
    let at = from;
    while (at < text.length && !endsUnquoted(text, at)) at += 1;
    start = from;
    end = at;
    return at;
  };
}

const STOPS = new Set([...' \t\r\n"\'`,;<>()[]{}|&\\\u001b'].map((char) => char.charCodeAt(0)));
const AMPERSAND = 38;
const NEXT_PART = /&(?:[&\s"'\\]|$|[\w.-]{1,40}=|[a-z]{2,6};)/y;

function endsUnquoted(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (!STOPS.has(unit)) return false;
  if (unit !== AMPERSAND) return true;
  // between the parts of a query, and of commands; elsewhere it is part of a password
  NEXT_PART.lastIndex = at;
  return NEXT_PART.test(text);
}

const LEAD =
  /(?:\n|\\n|\\r)[ \t]{0,40}(?:[-*+>#]{1,2} {1,4})?(?:(?:export|set|setx|env|ENV|ARG|let|readonly|declare -x|\$env:) {0,2})?["'\\]{0,8}$/;

function startsLine(text: string, nameStart: number): boolean {
  const before = text.charCodeAt(nameStart - 1);
  if (nameStart === 0 || before === 10) return true;
  return LEAD.test(`${nameStart <= INDENT ? '\n' : ''}${text.slice(Math.max(0, nameStart - INDENT), nameStart)}`);
}
