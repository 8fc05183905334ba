import { isObject } from '../../evidence/json.js';
import type { FileSource, Line } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { contentOf, type JsonRecord } from '../json-lines.js';
import { messageRows } from './blocks.js';
import { type MessageContext, type SessionColumns, sessionIdentity } from './context.js';
import { kindOf, messageContext, messageHead, oddMessage } from './message.js';

// A compaction keeps copies of the messages that stay in the model's context. They are copies of earlier lines; one that no
// line holds is recovered from here. Where it lies is kept until the end of the journal, so that its rows, which have times
// of their own, do not stand between the lines, and nothing large is held.

const POINTER = '/data/messages_snapshot';

export interface Snapshot {
  readonly place: JsonRecord['place'];
  readonly length: number;
  /** Members that nothing before holds. */
  readonly missing: readonly number[];
}

/** Members of a snapshot that no line before it, and no snapshot before it, holds. The latter are kept in `recovered`. */
export function planSnapshot(record: JsonRecord, members: readonly unknown[], seen: ReadonlySet<string>, recovered: Set<string>): Snapshot {
  const missing: number[] = [];
  const own: string[] = [];
  for (const [i, member] of members.entries()) {
    const id = isObject(member) ? messageHead(member).id : '';
    if (id !== '' && (seen.has(id) || recovered.has(id))) continue;
    // A repetition within one snapshot is kept, as one between lines is.
    own.push(id);
    missing.push(i);
  }
  for (const id of own) if (id !== '') recovered.add(id);
  return { place: record.place, length: record.length, missing };
}

type Shared = Pick<MessageContext, 'wasTyped' | 'toolNames'>;

/** Reads a compaction again and gives the members that only it holds. */
export function* snapshotRows(
  source: FileSource,
  snapshot: Snapshot,
  begin: string,
  session: SessionColumns,
  shared: Shared,
): Generator<Draft> {
  const { place, length, missing } = snapshot;
  const bytes = Buffer.from(source.read(place.source_offset, length));
  const line: Line = { bytes, number: place.source_line, offset: place.source_offset, ended: true };
  for (const content of contentOf(line, { begin })) {
    if (!('record' in content)) continue;
    const { data } = content.record.value;
    const members = isObject(data) && Array.isArray(data.messages_snapshot) ? data.messages_snapshot : [];
    yield {
      row_type: 'recovered',
      text: `compaction snapshot: recovered=${missing.length} messages`,
      identity: sessionIdentity(session.session_id, 'recovered', `line ${place.source_line}`, place.source_offset),
      rank: 10,
      ...session,
      ...place,
      source_pointer: POINTER,
      newRun: true,
      leads: true,
      recovered: 'snapshot',
      confidence: 'complete',
      problem: 'the journal does not hold these messages',
    };
    for (const index of missing) yield* memberRows(members[index], step(POINTER, index), session, { ...shared, place });
    return;
  }
}

function* memberRows(
  member: unknown,
  pointer: string,
  session: SessionColumns,
  shared: Shared & Pick<MessageContext, 'place'>,
): Generator<Draft> {
  const recovered = { recovered: 'snapshot', confidence: 'complete' } as const;
  if (!isObject(member)) {
    yield oddMessage('member of a snapshot', member, { ...session, ...shared.place, ...recovered, source_pointer: pointer });
    return;
  }
  const head = messageHead(member);
  const context = messageContext(head, session, pointer, shared.place, { ...shared, recovered, rank: 10 });
  yield* messageRows(context, { kind: kindOf(head), content: head.content, results: head.results });
}
