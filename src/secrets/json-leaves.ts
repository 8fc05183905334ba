import { step } from '../rows/pointer.js';
import { BACKSLASH, COMMA, isDigit, isLetter, QUOTE } from './units.js';

/** A string in JSON text: the range inside its quotes, and where it stands. */
export interface Leaf {
  readonly start: number;
  readonly end: number;
  /** It holds a backslash, so that its value differs from what is written. */
  readonly escaped: boolean;
  /** Name of the member it is the value of; for the `value` of a pair, what stands as its `key` or `name`. */
  readonly key: string;
  /** Pointer of the container, and the last step; undefined for the whole text. */
  readonly within: string;
  readonly step: string | number | undefined;
}

export interface Walk {
  readonly end: number;
  /** The value was complete; else the text ended, or ceased to be JSON, at `end`. */
  readonly complete: boolean;
}

/** Where a text occurs next, or -1. */
export type NextPlace = (from: number) => number;

/** Remembers the last answer: many questions from rising places cost one pass over the text. */
export function nextPlace(text: string, piece: string): NextPlace {
  let asked = 0;
  let place = -2;
  return (from) => {
    if (place === -2 || from < asked || (place >= 0 && place < from)) {
      asked = from;
      place = text.indexOf(piece, from);
    }
    return place;
  };
}

const DEPTH_MOST = 200;
const PAIR_NAMES = new Set(['key', 'name', 'Key', 'Name', 'header']);
const PAIR_VALUES = new Set(['value', 'Value']);

interface Frame {
  readonly isArray: boolean;
  readonly pointer: string;
  index: number;
  key: string;
  /** Value of a `key` or `name` member, or the previous element of an array. */
  label: string;
}

/** Walks one JSON value and adds its strings to a list. */
export type JsonWalker = (from: number, into: Leaf[]) => Walk;

const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const LABEL_MOST = 200;

/**
 * No recursion and one pass over each value, so depth and size cost no more than their length. A cut-off value gives the
 * strings up to the cut. What is no JSON ends the walk; the strings before it are in the list all the same.
 */
export function jsonWalker(text: string): JsonWalker {
  const nextBackslash = nextPlace(text, '\\');

  /** The closing quote, or -1; whether a backslash stands before it. */
  const closing = (start: number): number => {
    let end = text.indexOf('"', start);
    const backslash = nextBackslash(start);
    if (backslash < 0 || end < 0 || backslash > end) return end;
    for (end = backslash; end < text.length; end += 1) {
      const unit = text.charCodeAt(end);
      if (unit === BACKSLASH) end += 1;
      else if (unit === QUOTE) return end;
    }
    return -1;
  };

  /** The string at a quote; returns the offset behind it, or -1. */
  const string = (at: number, frame: Frame | undefined, isName: boolean, into: Leaf[]): number => {
    const start = at + 1;
    const end = closing(start);
    if (end < 0) return -1;
    const backslash = nextBackslash(start);
    const escaped = backslash >= 0 && backslash < end;
    if (isName && frame) {
      // a name as it stands is scanned with the text around it
      if (escaped) into.push({ start, end, escaped, key: '', within: frame.pointer, step: undefined });
      frame.key = text.slice(start, Math.min(end, start + LABEL_MOST));
      frame.index += 1;
    } else {
      into.push({ start, end, escaped, key: keyOf(frame), within: frame?.pointer ?? '', step: stepOf(frame) });
      if (frame && (frame.isArray || PAIR_NAMES.has(frame.key))) frame.label = text.slice(start, Math.min(end, start + LABEL_MOST));
    }
    return end + 1;
  };

  return (from, into) => {
    const stack: Frame[] = [];
    let at = from;
    let wantsName = false;
    for (;;) {
      at = skipSpace(text, at);
      const unit = text.charCodeAt(at);
      const frame = stack.at(-1);
      if (frame && frame.index === 0 && unit === (frame.isArray ? CLOSE_ARRAY : CLOSE_OBJECT) && wantsName !== frame.isArray) {
        at += 1;
        stack.pop();
      } else if (wantsName) {
        const behind = unit === QUOTE ? string(at, frame, true, into) : -1;
        if (behind < 0) return { end: unit === QUOTE ? text.length : at, complete: false };
        at = skipSpace(text, behind);
        if (text.charAt(at) !== ':') return { end: at, complete: false };
        at += 1;
        wantsName = false;
        continue;
      } else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
        if (stack.length >= DEPTH_MOST) return { end: at, complete: false };
        stack.push({ isArray: unit === OPEN_ARRAY, pointer: below(frame?.pointer ?? '', stepOf(frame)), index: 0, key: '', label: '' });
        at += 1;
        wantsName = unit === OPEN_OBJECT;
        continue;
      } else {
        const behind = unit === QUOTE ? string(at, frame, false, into) : skipLiteral(text, at);
        if (behind < 0) return { end: text.length, complete: false };
        if (behind === at) return { end: at, complete: false };
        at = behind;
      }
      // behind a value: close what ends here, up to the next member or element
      for (let isClosing = true; isClosing; ) {
        const open = stack.at(-1);
        if (!open) return { end: at, complete: true };
        at = skipSpace(text, at);
        const sign = text.charCodeAt(at);
        if (sign === COMMA) {
          if (open.isArray) open.index += 1;
          wantsName = !open.isArray;
          isClosing = false;
        } else if (sign === (open.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) stack.pop();
        else return { end: at, complete: false };
        at += 1;
      }
    }
  };
}

/** Where a string stands; made only for those in which something is found. */
export function pointerOf({ within, step: last }: Leaf): string {
  return below(within, last);
}

const below = (pointer: string, last: string | number | undefined) => (last === undefined ? pointer : step(pointer, last));

function stepOf(frame: Frame | undefined): string | number | undefined {
  return frame?.isArray ? frame.index : frame?.key;
}

/** `{"key": "PASSWORD", "value": "x"}` and `["--password", "x"]` name their value by what stands before it. */
function keyOf(frame: Frame | undefined): string {
  if (!frame) return '';
  if (frame.isArray) return frame.label.startsWith('-') ? frame.label : lastKey(frame.pointer);
  return PAIR_VALUES.has(frame.key) && frame.label !== '' ? frame.label : frame.key;
}

/** Elements of `"tokens": [...]` answer to the name of their array. */
function lastKey(pointer: string): string {
  const key = pointer.slice(pointer.lastIndexOf('/') + 1);
  return /^\d{1,9}$/.test(key) ? '' : key;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit === 32 || unit === 10 || unit === 13 || unit === 9; unit = text.charCodeAt(at)) at += 1;
  return at;
}

/** Numbers, true, false, null; what they hold does not matter here. */
function skipLiteral(text: string, from: number): number {
  let at = from;
  for (
    let unit = text.charCodeAt(at);
    isDigit(unit) || isLetter(unit) || unit === 45 || unit === 43 || unit === 46;
    unit = text.charCodeAt(at)
  )
    at += 1;
  return at;
}
