import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { fromRfc3339 } from '../../rows/time.js';
import { readObject } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { acceptanceRows, evidenceRows } from './claims.js';
import { readCommandLog } from './command-log.js';
import { critiqueRows } from './critique.js';
import type { Sidecar } from './members.js';
import { flowPlace } from './place.js';
import { pointerRows, recordRows, runRows, stateRows } from './state.js';

// .kontourai/flow-agents/<slug>/*.json: what the model, its reviewers and the harness wrote about a piece of work. state.json:
// status, phase, next action; evidence.json and acceptance.json: claims that checks passed; critique.json: reviews and findings;
// current.json: which piece of work is active; .kontourai/flow/runs/<run>/state.json: steps of a flow and what moved them on.
// They prove that a claim was made and what it said. They cannot show that it is true: only command-log.jsonl, which a hook writes,
// says what ran, and rows of claims and of what the log proves stand side by side. Each file holds its last state only.
// Kinds are told by their keys: a copy has any name. Versions: schema 1.0. Evidence: L1, kontourai/flow-agents:
// schemas/workflow-*.schema.json, docs/spec/runtime-hook-surface.md.

const LOG = 'command-log.jsonl';
const KEYS = /"(?:critiques|checks|criteria|phase|active_slug|goal_fit)"\s*:/;

export const flowAgentsSidecar: FileParser = {
  id: 'flow-agents-sidecar',
  container: 'file',
  detect(head) {
    const text = head.subarray(0, 16_384).toString('utf8');
    return /^\ufeff?\s*\{\s*"schema_version"\s*:/.test(text) && /"task_slug"\s*:/.test(text) && KEYS.test(text);
  },
  companions: (name) => (name.toLowerCase() === LOG ? [] : [LOG]),
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const { artifact } = source;
  const { project, slug, name } = flowPlace(artifact);
  const record = yield* readObject(source, 'Flow Agents record');
  if (record === undefined) return;
  const noted = typeof record.updated_at === 'string' ? fromRfc3339(record.updated_at, 'record') : undefined;
  const sidecar = { record, slug: typeof record.task_slug === 'string' ? record.task_slug : slug, time: noted ?? artifact.mtime };
  for (const row of rowsOf(sidecar, name, companions)) yield { project_path: project, ...row };
}

function rowsOf(sidecar: Sidecar, name: string, companions: Companions): Iterable<Draft> {
  const { record } = sidecar;
  if (Array.isArray(record.critiques)) return critiqueRows(sidecar);
  if (Array.isArray(record.checks)) return evidenceRows(sidecar, logOf(companions));
  if (Array.isArray(record.criteria)) return acceptanceRows(sidecar, logOf(companions));
  if (Array.isArray(record.transitions) || typeof record.current_step === 'string') return runRows(sidecar);
  if (typeof record.active_slug === 'string') return pointerRows(sidecar, name);
  if (typeof record.status === 'string' && typeof record.phase === 'string') return stateRows(sidecar);
  return recordRows(sidecar, name);
}

function logOf(companions: Companions): { commands: ReturnType<typeof readCommandLog>['commands'] | undefined; broken: boolean } {
  const log = companions.get(LOG);
  return log === undefined ? { commands: undefined, broken: false } : readCommandLog(log);
}
