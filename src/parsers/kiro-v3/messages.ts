import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { namesBeside, WHY_MISSING } from '../beside.js';
import { jsonLines, type LineContent } from '../json-lines.js';
import type { Companions, FileParser } from '../parser.js';
import { lastCursor } from './cursor.js';
import { payloadRows } from './payload-rows.js';
import { convertedFrom, sessionPlace } from './place.js';
import { type Log, recordRows } from './record-rows.js';
import { RECORD_START, recordOf } from './schema.js';
import { readFacts } from './session-file.js';
import { SessionParts } from './session-parts.js';
import { surveyLog } from './survey.js';

// sessions/<bucket>/<id>/messages.jsonl and sub-executions/<id>.jsonl: the log of a session of the v3 engine, which the Kiro CLI
// (--v3) and the Kiro IDE 1.x share, and of each run of a sub-agent in it.
// It proves prompts, answers, calls with their results, what was asked and answered, hooks, steering texts, sub-agents, credits
// and reverts, each with a time in milliseconds. Lines are only ever appended (a fork writes a new file), so what was reverted
// or summed up is still there. File order is the order; times are no sort key, some records land late.
// It cannot show which program wrote it; reasoning is mostly encrypted; a call is often written when the tool has ended, so
// that its time is not its start; prompts a program sent by itself may be missing; the engine skips a line it cannot read. A
// repair written at the next start bears the time of that start, a converted session the time of the conversion.
// The schema version was never raised, so every field is optional. Versions: 2.12.1, 2.15.1, 2.21.4, IDE 1.0.411.
// Evidence: L4. Field lists read from the bundle of engine 2.15.1 and 2.21.4 by others; rimio-ai/rimz (protocol reference and
// fixtures), marmutapp/superbased-observer (testdata/kirocli), dwalleck/cyril (wire audit); redacted real files of 2.12.1.

const LOG = 'messages.jsonl';
const METADATA = 'session.json';
const CURSOR = 'publish.cursor';
/** A log up to this size is parsed once and held for both readings; a larger one is read twice, so that memory stays small. */
const HELD_BYTES = 2 << 20;
const HEAD =
  /^\ufeff?\s*\{\s*"id"\s*:\s*"[^"\\]{0,400}"\s*,\s*"timestamp"\s*:\s*"[^"\\]{0,40}"\s*,\s*"payload"\s*:\s*\{\s*"type"\s*:\s*"\w{1,60}"/;

export const kiroV3Messages: FileParser = {
  id: 'kiro-v3-messages',
  container: 'file',
  detect: (head) => HEAD.test(head.subarray(0, 2048).toString('utf8')),
  companions: (name) => (name.toLowerCase() === LOG ? [METADATA, CURSOR] : []),
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const contents = contentsOf(source);
  const log = openLog(source, companions, contents());
  let index = -1;
  for (const content of contents()) {
    if ('error' in content) {
      yield { ...content.error, ...log.columns };
      continue;
    }
    const line = content.record;
    const record = recordOf(line.value);
    if (record === undefined) {
      yield { ...errorDraft('not a record of a session log', '', line.place), ...log.columns, details: { value: line.value } };
      continue;
    }
    index += 1;
    if (record.type === 'user' || record.type === 'turn_start') log.begun = true;
    yield* payloadRows(recordRows(record, line, index, log));
  }
  yield* shortened(source, companions, log);
  yield* log.parts.unnamed(log.columns);
  yield* withoutMetadata(source, log);
}

function contentsOf(source: FileSource): () => Iterable<LineContent> {
  const read = () => jsonLines(source, { begin: RECORD_START });
  if (source.size > HELD_BYTES) return read;
  const held = [...read()];
  return () => held;
}

function openLog(source: FileSource, companions: Companions, contents: Iterable<LineContent>): Log {
  const place = sessionPlace(source.artifact.file);
  const facts = readFacts(companions.get(METADATA));
  const converted = convertedFrom(place.session) ?? (facts.forked ? convertedFrom(facts.parent) : undefined);
  return {
    columns: { session_id: place.session || facts.id, project_path: facts.project, parent_session_id: facts.parent },
    subSession: place.subSession,
    convertedFrom: converted,
    rank: facts.forked || converted !== undefined ? 1 : 0,
    survey: surveyLog(contents),
    parts: new SessionParts(source),
    lines: new Map(),
    agents: new Map(),
    stems: new Map(),
    model: '',
    begun: false,
  };
}

/** The program only appends: a log that ends ahead of what was uploaded from it has lost records. */
function* shortened(source: FileSource, companions: Companions, { columns }: Log): Generator<Draft> {
  const cursor = lastCursor(companions.get(CURSOR));
  if (cursor === undefined || cursor.offset <= source.size) return;
  yield {
    row_type: 'gap',
    text: `gap: log is shorter than what was uploaded of it uploaded=${cursor.offset} size=${source.size}`,
    ...columns,
    problem: 'records were removed, or the log was written anew',
  };
}

function* withoutMetadata(source: FileSource, { subSession, columns }: Log): Generator<Draft> {
  const names = namesBeside(source, '.');
  if (names === undefined || names.has(METADATA) || subSession !== '') return;
  const problem = `never written, ${WHY_MISSING}`;
  yield { row_type: 'gap', text: 'gap: session log without session.json', ...columns, problem };
}
