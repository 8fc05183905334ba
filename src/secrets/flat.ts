import { secretBehind } from './aws.js';
import { type Runs, runsOf } from './charset.js';
import { base64Text } from './decode.js';
import type { Handler } from './handlers.js';
import { matchJwt } from './jwt.js';
import { judgeKeyed } from './keyed.js';
import { type Keyed, type KeyedReader, keyedReader } from './keyed-read.js';
import type { RuleSet } from './load.js';
import { matchManifest } from './manifest.js';
import { matchPem } from './pem.js';
import type { Report } from './raw.js';
import { searchAround } from './search.js';
import { matchPattern, matchToken } from './token.js';
import { isBoundary } from './units.js';
import { matchUserinfo } from './url.js';

/** Scans what base64 stands for; undefined at the greatest depth. */
export type ScanInside = (text: string, report: Report) => void;

export interface FlatScan {
  readonly region: (from: number, to: number) => void;
}

interface Place {
  readonly rules: RuleSet;
  readonly text: string;
  readonly runs: Runs;
  readonly reader: KeyedReader;
  readonly report: Report;
  readonly inside: ScanInside | undefined;
  searched: Map<string, number> | undefined;
  /** End of the last token: the parts of one begin like one. */
  jwtTo: number;
}

/** Scans regions of one text as it stands, without regard to its structure. */
export function flatScan(rules: RuleSet, text: string, report: Report, inside: ScanInside | undefined): FlatScan {
  // most strings are short and hold no keyword: what is needed at a hit is made at the first one
  let known: Place | undefined;
  let limit = 0;
  const visit = (keyword: number, end: number) => {
    known ??= { rules, text, runs: runsOf(text), reader: keyedReader(text), report, inside, searched: undefined, jwtTo: 0 };
    const place = known;
    const start = end - (rules.sizes[keyword] ?? 0);
    for (const handler of rules.handlers[keyword] ?? []) tryAt(place, handler, start, end, limit);
  };
  return {
    region: (from, to) => {
      limit = to;
      rules.automaton.each(text, from, to, visit);
    },
  };
}

function tryAt(place: Place, handler: Handler, start: number, end: number, limit: number): void {
  const { rules, text, runs, report } = place;
  if (handler.kind === 'name') {
    const keyed = place.reader(start, end);
    // a value behind the region is one that is scanned apart, together with its name
    if (keyed && keyed.start < limit) tryKeyed(place, keyed);
  } else if (handler.kind === 'token') {
    const behind = matchToken(rules, handler.rule, text, start, handler.prefix, runs, report);
    if (behind > start && handler.rule.id === 'aws-access-key-id') tryPair(place, behind);
  } else if (handler.kind === 'pattern') matchPattern(rules, handler, text, start, report);
  else if (handler.kind === 'search') {
    place.searched ??= new Map();
    if (start < (place.searched.get(handler.rule.id) ?? 0)) return;
    place.searched.set(handler.rule.id, searchAround(rules, handler.rule, handler.pattern, handler.allow, text, start, report));
  } else if (handler.use === 'private-key') matchPem(rules, text, start, report);
  else if (handler.use === 'jwt') {
    if (start >= place.jwtTo) place.jwtTo = matchJwt(rules, text, start, runs, report);
  } else if (handler.use === 'url-password') matchUserinfo(rules, text, end, report);
  else if (handler.use === 'kubernetes-secret') matchManifest(rules, text, end, report);
  else if (isBoundary(text, start)) scanEncoded(place, start, runs('base64', start));
}

function tryPair({ rules, text, runs, report }: Place, from: number): void {
  const rule = rules.byId.get('aws-secret-access-key');
  const range = rule && secretBehind(text, from, runs);
  if (!range) return;
  const [start, end] = range;
  report({ rule, source: 'keyed', confidence: 'medium', start, end, value: text.slice(start, end) });
}

const ENCODED_LEAST = 40;

function tryKeyed(place: Place, keyed: Keyed): void {
  judgeKeyed(place.rules, keyed, place.text, place.report);
  if (keyed.end - keyed.start >= ENCODED_LEAST && place.rules.nameTest(keyed.name)) scanEncoded(place, keyed.start, keyed.end);
}

/** What base64 hides is reported at the range of all of the base64. */
function scanEncoded(place: Place, start: number, end: number): void {
  const inner = place.inside && base64Text(place.text.slice(start, end));
  if (!inner) return;
  place.inside?.(inner, (hit) => place.report({ ...hit, start, end, decoded: 'base64' }));
}
