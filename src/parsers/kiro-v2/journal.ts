import { isBare, isObject, type JsonObject, without } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import type { Instant } from '../../rows/time.js';
import { WHY_MISSING } from '../beside.js';
import { type JsonRecord, jsonLines } from '../json-lines.js';
import { problems } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { besideJournal, type SessionFacts, sessionFacts, typedTexts } from './beside.js';
import { type MessageKind, messageRows } from './blocks.js';
import { type SessionColumns, sessionIdentity } from './context.js';
import { markerRow, summaryRow } from './markers.js';
import { messageContext, messageHead } from './message.js';
import { fileName } from './names.js';
import { planSnapshot, type Snapshot, snapshotRows } from './snapshots.js';
import { timeWindow } from './times.js';
import { missingMessages, type TurnWatch, watchTurns } from './turns.js';

// .kiro/sessions/cli/<uuid>.jsonl of Kiro CLI, engine v2: the journal of one session, only ever appended to: prompts, answers,
// reasoning, calls and results, compactions. It proves what was said and called, in order, also what the model no longer saw.
// It cannot show when: only prompts are dated, to the second; everything else lies between its prompt and the end of its
// turn, which the session file beside it tells. No approval of a call is recorded. A crash during the first answer loses the
// prompt; a killed process leaves lines the session file does not know, and the program then refuses the session.
// Versions: 1.2x to 2.22. Evidence: L4 with samples, Dicklesworthstone/cross_agent_session_resumer: src/providers/kiro.rs;
// neochoon/agenthud: docs/schemas/kiro-session.md; marmutapp/superbased-observer: internal/adapter/kirocli;
// dwalleck/cyril: docs; kirodotdev/Kiro#6110, #10434.

const BEGIN = '{"version":"v1","kind":"';
const HEAD = new RegExp(
  ['^(?:\\xef\\xbb\\xbf)?', '\\{', '"version"', ':', '"v1"', ',', '"kind"', ':', '"[A-Z][A-Za-z]{1,40}"', '[,}]'].join('\\s{0,64}'),
);
/** A journal that was handed over alone says nothing of what lies beside it. */
const IN_PLACE = /(?:^|\/)sessions\/cli\/[^/]+$/i;
const MESSAGES = new Map<string, MessageKind>([
  ['Prompt', 'prompt'],
  ['AssistantMessage', 'assistant'],
  ['ToolResults', 'results'],
]);

export const kiroV2Journal: FileParser = {
  id: 'kiro-v2-journal',
  container: 'file',
  detect: (head) => HEAD.test(head.toString('latin1', 0, 1024)),
  companions: besideJournal,
  parse,
};

/** What is known so far; of the messages only ids are kept. */
interface Journal {
  readonly source: FileSource;
  readonly session: SessionColumns;
  readonly facts: SessionFacts;
  readonly turns: TurnWatch;
  readonly wasTyped: (text: string) => boolean;
  readonly toolNames: Map<string, string>;
  readonly seen: Set<string>;
  readonly recovered: Set<string>;
  readonly snapshots: Snapshot[];
  lastPrompt: Instant | undefined;
  model: string;
  /** The last message the session file lists has gone by. */
  behindLast: boolean;
}

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const name = fileName(source.artifact);
  const facts = sessionFacts(name, companions);
  const session = { session_id: facts.id, project_path: facts.cwd, parent_session_id: facts.parent };
  const journal: Journal = {
    source,
    session,
    facts,
    turns: watchTurns(session),
    wasTyped: typedTexts(name, companions),
    toolNames: new Map(),
    seen: new Set(),
    recovered: new Set(),
    snapshots: [],
    lastPrompt: undefined,
    model: '',
    behindLast: false,
  };
  for (const content of jsonLines(source, { begin: BEGIN })) {
    if ('error' in content) yield { ...content.error, ...session };
    else yield* recordRows(journal, content.record);
  }
  yield* journal.turns.finish();
  const missing = missingMessages(facts.turns, journal.seen, session);
  if (missing !== undefined) yield missing;
  for (const snapshot of journal.snapshots) yield* snapshotRows(source, snapshot, BEGIN, session, journal);
  if (!facts.told && IN_PLACE.test(source.artifact.file)) yield withoutSessionFile(session);
}

function withoutSessionFile(session: SessionColumns): Draft {
  const problem = `no session file that can be read lies beside the journal: never written, ${WHY_MISSING}`;
  return { row_type: 'gap', text: 'gap: journal without a session file', ...session, problem };
}

function* recordRows(journal: Journal, record: JsonRecord): Generator<Draft> {
  const { version, kind, data } = record.value;
  const rest = without(record.value, RECORD);
  const envelope = version === 'v1' ? rest : { version, ...rest };
  const tail = journal.behindLast ? { untracked_tail: true } : {};
  const message = typeof kind === 'string' ? MESSAGES.get(kind) : undefined;
  if (message !== undefined && isObject(data)) {
    for (const row of messageRecord(journal, record, message, data, envelope)) {
      journal.turns.see(row);
      yield row;
    }
    return;
  }
  const columns = { ...journal.session, ...record.place, ...record.damaged };
  const compaction = kind === 'Compaction' && isObject(data) ? data : undefined;
  const marker = compaction ? summaryRow(compaction) : markerRow(kind, data);
  if (marker === undefined) {
    yield unknownRecord(record, columns, tail);
    return;
  }
  const details = { ...marker.details, ...envelopeOf(envelope), ...tail, ...timeWindow(journal.lastPrompt, undefined) };
  // Lines are only appended: in a copy of the journal the same record has the same number.
  const identity = sessionIdentity(
    journal.session.session_id,
    marker.row_type,
    `line ${record.place.source_line}`,
    record.place.source_offset,
  );
  yield { ...marker, ...columns, identity, details, problem: problems(marker.problem, record.problem) };
  if (compaction === undefined || !Array.isArray(compaction.messages_snapshot)) return;
  const snapshot = planSnapshot(record, compaction.messages_snapshot, journal.seen, journal.recovered);
  if (snapshot.missing.length > 0) journal.snapshots.push(snapshot);
}

const RECORD = ['version', 'kind', 'data'];

const envelopeOf = (envelope: JsonObject) => (isBare(envelope) ? {} : { record: envelope });

/** A kind of record this program does not know, or one whose data has another form: kept whole. */
function unknownRecord(record: JsonRecord, columns: Omit<Draft, 'row_type' | 'text'>, tail: JsonObject): Draft {
  const { kind } = record.value;
  const what =
    typeof kind !== 'string'
      ? 'record without a kind'
      : MESSAGES.has(kind) || kind === 'Compaction'
        ? `record of kind ${kind} without an object as its data`
        : `unknown kind of record: ${kind.slice(0, 100)}`;
  return { ...errorDraft(what), ...columns, problem: problems(what, record.problem), details: { raw: record.value, ...tail } };
}

function* messageRecord(journal: Journal, record: JsonRecord, kind: MessageKind, data: JsonObject, envelope: JsonObject): Generator<Draft> {
  const { facts } = journal;
  const head = messageHead(data);
  const turn = facts.turnOf.get(head.id);
  yield* journal.turns.enter(turn, kind === 'prompt');
  const behind = journal.behindLast;
  if (!record.damaged) journal.seen.add(head.id);
  if (facts.lastId !== '' && head.id === facts.lastId) journal.behindLast = true;
  const time = head.time ?? (kind === 'assistant' ? facts.answerTimes.get(head.id) : undefined);
  if (kind === 'prompt' && time !== undefined) journal.lastPrompt = time;
  const context = messageContext(head, journal.session, '/data', record.place, {
    time,
    wasTyped: journal.wasTyped,
    toolNames: journal.toolNames,
    recovered: record.damaged,
    rank: record.damaged ? 10 : 0,
    model: turn?.model ?? '',
    marks: {
      ...(turn?.model ? { model_source: 'turn of the session file' } : {}),
      ...(time === undefined ? timeWindow(journal.lastPrompt, turn?.end) : {}),
      ...(head.time === undefined && time !== undefined ? { time_from: 'final answer in the session file' } : {}),
      ...(behind ? { untracked_tail: true } : {}),
    },
    extras: isBare(envelope) ? head.extras : { ...head.extras, ...envelopeOf(envelope) },
    problem: problems(head.problem, record.problem),
  });
  for (const row of messageRows(context, { kind, content: head.content, results: head.results })) {
    if (!turn?.model) yield* modelChange(journal, row);
    yield row;
  }
}

/** Before 2.16 no turn names its model; reasoning blocks do. */
function* modelChange(journal: Journal, row: Draft): Generator<Draft> {
  const { model = '', message_id = '', row_type, time, recovered, details } = row;
  if (row_type !== 'thinking' || model === '' || model === journal.model || recovered) return;
  const text = journal.model === '' ? `model: ${model}` : `model: ${journal.model} -> ${model}`;
  journal.model = model;
  const { source_line = 0, source_offset = null, source_pointer = '' } = row;
  const window = details?.window === undefined ? {} : { window: details.window };
  yield {
    row_type: 'model',
    text: `${text} source=thinking`,
    time,
    model,
    ...journal.session,
    message_id,
    identity: sessionIdentity(journal.session.session_id, 'model', message_id, source_pointer),
    source_line,
    source_offset,
    source_pointer,
    details: window,
  };
}
