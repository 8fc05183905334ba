import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { fromEpochMs, fromEpochSeconds } from '../../rows/time.js';
import { pairs, problems, readObject } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { FileParser } from '../parser.js';
import { textOf } from './event.js';
import { flowPlace } from './place.js';

// .kontourai/telemetry/sessions/<id>.session: process, terminal, start and end of a session; deleted after a day.
// .kontourai/telemetry/sessions/toolstart-<session>-<key>: when a call began whose result never came: it was interrupted, or ran
// when the evidence was taken. The key is the host's id of the call, or a hash of tool and arguments.
// Evidence: L1, kontourai/flow-agents: context/scripts/telemetry.

export const flowAgentsSession: FileParser = { id: 'flow-agents-session', container: 'file', parse };

const TOOL_START = /^toolstart-(.+)$/i;

function* parse(source: FileSource): Generator<Draft> {
  const { project, name } = flowPlace(source.artifact);
  const started = TOOL_START.exec(name)?.[1];
  if (started !== undefined) {
    yield { ...toolStart(source, started), project_path: project };
    return;
  }
  const record = yield* readObject(source, 'session record of Flow Agents');
  if (record === undefined) return;
  const begin = fromEpochSeconds(record.start_time, 'launched_at');
  const end = fromEpochSeconds(record.end_time, 'completed_at');
  const session_id = textOf(record.runtime_session_id) || textOf(record.session_id);
  const shown = pairs({ agent: record.agent_name, runtime: record.runtime, pid: record.pid, tty: record.tty });
  const columns = { row_type: 'session', session_id, project_path: project, origin: 'automatic' } as const;
  yield {
    ...columns,
    text: `session: start${shown}`,
    time: begin,
    problem: begin ? '' : 'the start is not recorded as a time',
    details: named('record', record),
  };
  if (end) yield { ...columns, text: `session: end${pairs({ duration_s: record.duration_s })}`, time: end, source_pointer: '/end_time' };
}

function toolStart(source: FileSource, key: string): Draft {
  const stored = source.read(0, 64).toString('utf8').trim();
  const time = /^\d{12,14}$/.test(stored) ? fromEpochMs(Number(stored), 'launched_at') : undefined;
  if (!time) return { ...errorDraft('start of a call is no time in milliseconds', Buffer.from(source.read(0, 200))), details: { key } };
  return {
    row_type: 'gap',
    text: `gap: no result for call key=${key}`,
    time: { ...time, original: stored },
    status: 'unknown',
    outcome: 'ambiguous',
    problem: problems('the call began and no result was seen: it was interrupted, or still ran'),
    details: { key },
  };
}
