import { flatScan } from './flat.js';
import { jsonWalker, type Leaf, nextPlace, pointerOf } from './json-leaves.js';
import { judgeKeyed } from './keyed.js';
import type { Keyed } from './keyed-read.js';
import type { RuleSet } from './load.js';
import type { RawHit, Report } from './raw.js';
import { type TextMap, unescaped, withoutAnsi } from './text-map.js';

/** What holds a name, a sign and a value, or a token, is longer. */
const LEAST = 8;
/** Shorter values are none under any name, and most members of JSON are short. */
const LEAST_NAMED = 4;
/** JSON in a string in JSON is the rule in tool output; deeper nesting than this is scanned as plain text. */
const DEPTH = 4;
/** Larger texts are not taken apart: plain scanning is tolerant of escaped quotes and needs no memory. */
const JSON_MOST = 4 * 1024 * 1024;
/** What all failed tries to read JSON in one text may cost, in characters beyond its length. */
const FAILED_MOST = 65_536;

/** Scans one string with all preparations; offsets are those of the string as given. */
export function scanString(rules: RuleSet, text: string, key: string, report: Report, depth = 0): void {
  if (text.length < LEAST && (key === '' || text.length < LEAST_NAMED)) return;
  const stripped = withoutAnsi(text);
  if (stripped) scanPrepared(rules, stripped.text, key, mapped(stripped, report), depth);
  else scanPrepared(rules, text, key, report, depth);
}

function mapped(map: TextMap, report: Report): Report {
  return (hit) => {
    const [start, end] = map.outer(hit.start, hit.end);
    report({ ...hit, start, end });
  };
}

function scanPrepared(rules: RuleSet, text: string, key: string, report: Report, depth: number): void {
  if (key !== '') judgeNamed(rules, key, text, 0, text.length, report);
  const first = depth < DEPTH && text.length <= JSON_MOST ? firstJson(text) : -1;
  const leaves = first < 0 ? NONE : jsonIn(text, first);
  const pointed = leaves.length > 0 ? withPointer(leaves, report) : report;
  const inside = depth < DEPTH ? (inner: string, to: Report) => scanString(rules, inner, '', to, depth + 1) : undefined;
  const flat = flatScan(rules, text, pointed, inside);
  let from = 0;
  for (const leaf of leaves) {
    if (!leaf.escaped) {
      if (leaf.key !== '') judgeNamed(rules, leaf.key, text, leaf.start, leaf.end, pointed);
      continue;
    }
    // the strings in between are scanned as they stand, together with their names
    flat.region(from, leaf.start);
    from = leaf.end;
    const map = unescaped(text, leaf.start, leaf.end);
    scanString(
      rules,
      map.text,
      leaf.key,
      mapped(map, (hit) => report({ ...hit, pointer: pointerOf(leaf) })),
      depth + 1,
    );
  }
  flat.region(from, text.length);
}

/** The whole of a string as the value of a name. */
function judgeNamed(rules: RuleSet, key: string, text: string, start: number, end: number, report: Report): void {
  if (end - start < LEAST_NAMED || end - start > 8192) return;
  const name = key.startsWith('-') ? key.replace(/^-{1,2}/, '') : key;
  if (!rules.tells(name)) return;
  const scheme = /^(?:bearer|basic|token) {1,4}/i.exec(text.slice(start, start + 16))?.[0] ?? '';
  const from = start + scheme.length;
  const keyed: Keyed = { name, nameStart: start, context: 'colon', quoted: true, lineStart: true, scheme, start: from, end, cut: false };
  judgeKeyed(rules, keyed, text, report);
}

const NONE: readonly Leaf[] = [];
const BEGINS_JSON = /^\s{0,64}[[{"]/;

/** Where JSON may begin: first thing in the text, or on a line; -1 if nowhere. A pattern would look at every character of every text. */
function firstJson(text: string): number {
  if (text.length <= 4 || !text.includes('"')) return -1;
  const begin = BEGINS_JSON.exec(text);
  if (begin) return begin[0].length - 1;
  return nearer(text.indexOf('\n{'), text.indexOf('\n['));
}

/** The strings of JSON values at the beginning of lines; a cut-off one counts as far as it goes. */
function jsonIn(text: string, first: number): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const walk = jsonWalker(text);
  const nextObject = nextPlace(text, '\n{');
  const nextArray = nextPlace(text, '\n[');
  let wasted = 0;
  let at = first;
  while (at >= 0 && at < text.length && wasted < text.length + FAILED_MOST) {
    const sign = text.charAt(at);
    if (sign === '{' || sign === '[' || (sign === '"' && at === 0)) {
      const before = leaves.length;
      const { end, complete } = walk(at, leaves);
      if (complete || end >= text.length) at = end;
      else {
        leaves.length = before;
        wasted += end - at;
      }
    }
    at = nearer(nextObject(at), nextArray(at));
  }
  return leaves;
}

function nearer(object: number, array: number): number {
  const next = object < 0 ? array : array < 0 ? object : Math.min(object, array);
  return next < 0 ? -1 : next + 1;
}

/** Names the JSON string a hit lies in. Leaves are in order and do not overlap. */
function withPointer(leaves: readonly Leaf[], report: Report): Report {
  return (hit) => {
    let low = 0;
    let high = leaves.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((leaves[middle]?.start ?? 0) <= hit.start) low = middle;
      else high = middle - 1;
    }
    const leaf = leaves[low];
    report(leaf && hit.start >= leaf.start && hit.start < leaf.end ? { ...hit, pointer: pointerOf(leaf) } : hit);
  };
}

/** All that a string holds, unresolved. */
export function rawHits(rules: RuleSet, text: string, key: string): RawHit[] {
  const hits: RawHit[] = [];
  scanString(rules, text, key, (hit) => hits.push(hit));
  return hits;
}
