import { BACKSLASH, isDigit, isLetter, QUOTE } from './units.js';

/** A string in JSON text: the range inside its quotes, and where it stands. */
export interface Leaf {
  readonly start: number;
  readonly end: number;
  /** It holds a backslash, so that its value differs from what is written. */
  readonly escaped: boolean;
  /** Name of the member it is the value of; for the `value` of a pair, what stands as its `key` or `name`. */
  readonly key: string;
  readonly pointer: string;
  readonly isName: boolean;
}

export interface Walk {
  readonly leaves: readonly Leaf[];
  readonly end: number;
  /** The value was complete; else the text ended, or ceased to be JSON, at `end`. */
  readonly complete: boolean;
  /** Where what is not covered by the leaves begins: the member that was being read. */
  readonly resume: number;
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

/**
 * Walks one JSON value and lists its strings. No recursion and one pass, so depth and size cost no more than their length.
 * A cut-off value gives the strings up to the cut.
 */
export function walkJson(text: string, from: number, nextBackslash: NextPlace): Walk {
  const leaves: Leaf[] = [];
  const stack: Frame[] = [];
  let at = from;
  let resume = from;
  const stringEnd = (start: number): { end: number; escaped: boolean } => {
    let end = text.indexOf('"', start);
    const backslash = nextBackslash(start);
    if (backslash < 0 || end < 0 || backslash > end) return { end, escaped: false };
    for (end = start; end < text.length; end += 1) {
      const unit = text.charCodeAt(end);
      if (unit === BACKSLASH) end += 1;
      else if (unit === QUOTE) return { end, escaped: true };
    }
    return { end: -1, escaped: true };
  };
  const result = (complete: boolean): Walk => ({ leaves, end: at, complete, resume: complete ? at : resume });

  let wantsName = false;
  for (;;) {
    at = skipSpace(text, at);
    const unit = text.charCodeAt(at);
    const frame = stack.at(-1);
    if (wantsName && frame) {
      if (text.charAt(at) === '}' && frame.index === 0) {
        at += 1;
        stack.pop();
      } else {
        if (unit !== QUOTE) return result(false);
        resume = at;
        const { end, escaped } = stringEnd(at + 1);
        if (end < 0) return result(false);
        leaves.push({ start: at + 1, end, escaped, key: '', pointer: frame.pointer, isName: true });
        frame.key = text.slice(at + 1, Math.min(end, at + 200));
        frame.index += 1;
        at = skipSpace(text, end + 1);
        if (text.charAt(at) !== ':') return result(false);
        at += 1;
        wantsName = false;
        continue;
      }
    } else if (unit === 123 || unit === 91) {
      if (stack.length >= DEPTH_MOST) return result(false);
      stack.push({ isArray: unit === 91, pointer: pointerOf(frame), index: 0, key: '', label: '' });
      at += 1;
      wantsName = unit === 123;
      continue;
    } else if (text.charAt(at) === ']' && frame?.isArray && frame.index === 0) {
      at += 1;
      stack.pop();
    } else if (unit === QUOTE) {
      if (frame?.isArray) resume = at;
      const { end, escaped } = stringEnd(at + 1);
      if (end < 0) return result(false);
      leaves.push({ start: at + 1, end, escaped, key: keyOf(frame), pointer: pointerOf(frame), isName: false });
      if (frame && (frame.isArray || PAIR_NAMES.has(frame.key))) frame.label = text.slice(at + 1, Math.min(end, at + 200));
      at = end + 1;
    } else {
      const behind = skipLiteral(text, at);
      if (behind === at) return result(false);
      at = behind;
    }
    // behind a value: close what ends here, up to the next member or element
    for (;;) {
      const open = stack.at(-1);
      if (!open) return result(true);
      at = skipSpace(text, at);
      const sign = text.charAt(at);
      if (sign === ',') {
        at += 1;
        if (open.isArray) open.index += 1;
        wantsName = !open.isArray;
        break;
      }
      if (sign !== (open.isArray ? ']' : '}')) return result(false);
      at += 1;
      stack.pop();
    }
  }
}

function pointerOf(frame: Frame | undefined): string {
  if (!frame) return '';
  return frame.isArray ? `${frame.pointer}/${frame.index}` : `${frame.pointer}/${frame.key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
