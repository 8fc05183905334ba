import { isStrict } from './carved.js';
import { type EntryFacts, list, text } from './keys.js';
import type { Confidence, Join } from './types.js';

export interface Checks {
  /** Fields of one record that contradict each other: it was put together from two. */
  readonly hard: readonly string[];
  /** Fields that may differ in an undamaged record, but rarely do. */
  readonly weak: readonly string[];
}

/** Vendor fields that repeat each other. A check counts only where both sides are present. */
export function checkEntry(facts: EntryFacts): Checks {
  const hard: string[] = [];
  const weak: string[] = [];
  const { metadata, messageId, metadataMessageId } = facts;
  if (messageId !== '' && metadataMessageId !== '' && messageId !== metadataMessageId)
    hard.push('message_id differs from request_metadata');
  const named = metadata.tool_use_ids_and_names;
  if (Array.isArray(named) && facts.tag === 'ToolUse') {
    const ids = named.map((pair) => text(list(pair)[0])).join(',');
    if (ids !== '' && ids !== facts.calls.join(',')) hard.push('tool ids differ from request_metadata');
  }
  const size = metadata.response_size;
  if (facts.tag === 'Response' && typeof size === 'number' && size > 0 && Buffer.byteLength(facts.answer) !== size) {
    weak.push('response_size differs from the length of the answer');
  }
  const start = metadata.request_start_timestamp_ms;
  const said = facts.timestamp === '' ? Number.NaN : Date.parse(facts.timestamp);
  if (typeof start === 'number' && (said > start + 1000 || said < start - 3_600_000))
    weak.push('timestamp is not within an hour of the request');
  return { hard, weak };
}

/**
 * A join that only a pointer vouches for makes an entry probable; one that two pages claim or that no pointer
 * names, or contradicting fields, a fragment.
 */
export function gradeEntry(joins: readonly Join[], { hard, weak }: Checks): Confidence {
  if (joins.length === 0) return 'complete';
  if (joins.some(({ proof }) => proof === 'contested' || proof === 'trunk')) return 'fragment';
  if (!joins.every((join) => isStrict(join.proof))) return hard.length + weak.length > 0 ? 'fragment' : 'probable';
  // Length and page count of the whole value, or one state of the log, leave no room for a wrong join.
  const certain = joins.every((join) => join.proof === 'whole' || join.proof === 'same-commit');
  if (certain) return 'complete';
  // In the measured cases this order alone was never wrong; a size that is off by itself does not outweigh it.
  return hard.length > 0 ? 'fragment' : 'complete';
}

/** A part has no field that could contradict a wrong join. */
export function gradePart(joins: readonly Join[]): Confidence {
  return joins.every((join) => isStrict(join.proof)) ? 'partial' : 'fragment';
}

export const RANK: Readonly<Record<Confidence, number>> = { complete: 0, probable: 1, partial: 2, fragment: 3 };
