import { awsAccount } from './aws.js';
import type { RawHit } from './raw.js';
import { atLeast, CONFIDENCES, type Finding, type Hit, type RowString } from './types.js';

const SOURCES = { keyed: 0, format: 1, location: 2 } as const;

/**
 * Of hits that overlap, the most specific stays: what would be masked before what would not, location before format before
 * keyed, what was decoded before its code, then confidence, then length. The result is in order and free of overlaps.
 */
export function resolve(hits: readonly RawHit[]): RawHit[] {
  const ordered = [...hits].sort((a, b) => a.start - b.start);
  const kept: RawHit[] = [];
  for (let from = 0; from < ordered.length; ) {
    let end = ordered[from]?.end ?? 0;
    let to = from + 1;
    for (let next = ordered[to]; next && next.start < end; next = ordered[to]) {
      end = Math.max(end, next.end);
      to += 1;
    }
    const alone = to === from + 1 ? ordered[from] : undefined; // as nearly all are
    if (alone) kept.push(alone);
    else for (const best of bestOf(ordered.slice(from, to))) kept.push(best);
    from = to;
  }
  return kept;
}

/** The best of hits that hang together by their overlaps. */
function bestOf(cluster: readonly RawHit[]): RawHit[] {
  const ranked = [...cluster].sort((a, b) => rank(b) - rank(a) || b.end - b.start - (a.end - a.start) || a.start - b.start);
  const kept: RawHit[] = [];
  for (const hit of ranked) {
    const at = firstAfter(kept, hit.start);
    const before = kept[at - 1];
    const after = kept[at];
    if ((before && before.end > hit.start) || (after && after.start < hit.end)) continue;
    kept.splice(at, 0, hit);
  }
  return kept;
}

function rank(hit: RawHit): number {
  return (
    (atLeast(hit.confidence, 'medium') ? 1000 : 0) +
    SOURCES[hit.source] * 100 +
    (hit.decoded === 'base64' ? 50 : 0) +
    CONFIDENCES.indexOf(hit.confidence)
  );
}

function firstAfter(kept: readonly RawHit[], start: number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}

const TAIL = 4;
const TAIL_LEAST = 24;

/** Public prefix and length; the last characters only of long tokens; nothing of passwords. */
function preview(hit: RawHit): string {
  const { rule, value } = hit;
  const size = hit.end - hit.start;
  if (rule.id.includes('password')) return '';
  const prefix = rule.kind === 'token' ? (rule.prefixes.find((text) => value.startsWith(text)) ?? '') : '';
  const tail = hit.source === 'format' && rule.kind === 'token' && value.length >= TAIL_LEAST && !hit.truncated ? value.slice(-TAIL) : '';
  return `${prefix}\u2026${tail}(${size})`;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function toHit(raw: RawHit, string: RowString): Hit {
  const { rule } = raw;
  // members are set one by one: a hostile text has a hit at every tenth character, and spreading costs more than finding them
  const finding: Mutable<Finding> = {
    rule: rule.id,
    class: raw.mixed ? 'sensitive' : rule.class,
    source: raw.source,
    confidence: raw.confidence,
    column: string.column,
    start: raw.start,
    end: raw.end,
    preview: preview(raw),
    checksum: raw.checksum ?? 'none',
    decoded: raw.decoded ?? null,
    truncated: raw.truncated ?? false,
  };
  const pointer = string.pointer ?? raw.pointer;
  if (pointer !== undefined) finding.pointer = pointer;
  if (raw.key !== undefined) finding.key = raw.key;
  if (raw.mixed) finding.mixed = true;
  if (raw.jwt) finding.jwt = raw.jwt;
  const account = rule.id === 'aws-access-key-id' && !raw.truncated ? awsAccount(raw.value) : undefined;
  if (account !== undefined) finding.aws_account = account;
  return { finding, value: raw.value };
}
