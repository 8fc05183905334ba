import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs, problems, readObject, typed, unknownFields } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { bucketProblem } from './bucket.js';
import { convertedFrom, sessionPlace } from './place.js';
import { kiroMeta } from './schema.js';
import { factsOf, SessionSchema } from './session-file.js';
import { withColumns } from './with-columns.js';

// sessions/<bucket>/<id>/session.json of the v3 engine: what a session is, as last written.
// It proves when the session was made, for which folders, its title, mode, parent and switches, and with `autopilot` or a policy
// preset a standing grant. Only `createdAt` is the time of an event: mode, model, status and switches are as of the last write.
// It cannot show earlier values, or which program wrote it. The file and an empty log are there before the first prompt.
// The folder above bears a hash of the workspace folders: one that does not match was moved, or its paths were changed. The
// IDE itself has left shells without a log under a new hash (kirodotdev/Kiro#10350, #10790).
// Versions: 2.12.1 to 2.22, IDE 1.0.411. Evidence: L4, as for the log beside it.

const LOG = 'messages.jsonl';

export const kiroV3Session: FileParser = { id: 'kiro-v3-session', container: 'file', companions: () => [LOG], parse };

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const { bucket, session } = sessionPlace(source.artifact.file);
  const stored = yield* withColumns(readObject(source, 'session metadata'), { session_id: session, time: undefined });
  if (stored) yield* sessionRows(stored, bucket, session);
  // A file that was handed over alone says nothing of what lies beside it.
  if (session !== '' && !companions.has(LOG)) yield missingLog(session);
}

function* sessionRows(stored: JsonObject, bucket: string, session: string): Generator<Draft> {
  const { fields, problem } = typed(SessionSchema, stored);
  const facts = factsOf(fields);
  const columns = { session_id: session || facts.id, project_path: facts.project, parent_session_id: facts.parent };
  const created = fields.createdAt ? fromRfc3339(fields.createdAt, 'record') : undefined;
  const shown = pairs({ mode: fields.agentMode, status: fields.status, reason: fields.createdReason, parent: fields.parentSessionId });
  yield {
    row_type: 'session',
    text: `session: created${shown}${fields.title ? `: ${fields.title}` : ''}`,
    time: created,
    ...columns,
    problem: problems(
      problem,
      !created && (fields.createdAt ? 'createdAt is not a date' : 'no time of creation is recorded'),
      bucketProblem(bucket, fields.workspacePaths),
      session !== '' && facts.id !== '' && facts.id !== session && 'the id is not the name of the folder',
    ),
    details: { ...Object.fromEntries(unknownFields(stored, new Set(created ? ['createdAt'] : []))), ...origin(session) },
  };
  if (fields.modelId)
    yield {
      row_type: 'model',
      text: `model: ${fields.modelId} source=session.json`,
      model: fields.modelId,
      source_pointer: '/modelId',
      ...columns,
    };
  yield* grants(stored, columns);
}

/** Nothing tells the IDE from the CLI but this: only the CLI converts its own older sessions. */
function origin(session: string): JsonObject {
  const older = convertedFrom(session);
  return older === undefined ? {} : { engine_hint: 'CLI', converted_from: older };
}

function missingLog(session: string): Draft {
  const problem = 'no messages.jsonl that can be read lies beside session.json';
  return { row_type: 'gap', text: 'gap: session without a message log', session_id: session, problem };
}

/** Autopilot lets every call run without a question; a preset lets those of its kind run. */
function* grants(stored: JsonObject, columns: Partial<Draft>): Generator<Draft> {
  const { autopilot } = stored;
  if (autopilot !== undefined && autopilot !== null) yield grantRow('autopilot', autopilot, '/autopilot', autopilot === true, columns);
  const { policyPreset } = kiroMeta(isObject(stored._meta) ? stored._meta : undefined);
  for (const [i, preset] of (Array.isArray(policyPreset) ? policyPreset : []).entries()) {
    yield grantRow('policyPreset', preset, step('/_meta/kiro/policyPreset', i), typeof preset === 'string', columns);
  }
}

function grantRow(key: string, value: unknown, source_pointer: string, granted: boolean, columns: Partial<Draft>): Draft {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    row_type: 'permission',
    text: `permission setting: ${key}=${shown} (from session.json, as last written)`,
    decision: granted ? 'granted' : 'unknown',
    decided_by: 'config',
    source_pointer,
    ...columns,
    problem: granted ? '' : 'nothing is granted by it',
    details: { key, value },
  };
}
