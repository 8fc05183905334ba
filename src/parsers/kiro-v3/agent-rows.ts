import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { pairs, problems } from '../json-store.js';
import type { RecordRows } from './record-rows.js';
import { readPayload } from './schema.js';

// A sub-agent runs in a log of its own, named by `subSessionId`; its questions for permission stand in the log of its parent.

export function* agentStartRows({ record, row, log }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('sub_agent_start', record.payload);
  const agent = fields.subAgentName ?? '';
  const run = fields.subSessionId ?? '';
  if (run !== '') log.agents.set(run, agent);
  const text = `delegate task launched:${pairs({ agent, sub_session: run })}${fields.prompt ? `: ${fields.prompt}` : ''}`;
  yield row('delegate', text, '/payload', {
    origin: 'agent',
    problem: problems(problem, log.parts.runProblem(run)),
    details: { payload: rest('type', 'prompt') },
  });
}

const STATUS = new Map<string, Row['status']>([
  ['success', 'completed'],
  ['error', 'failed'],
  ['cancelled', 'canceled'],
]);

/** An end with an error may be a repair: the engine writes one for each run it finds unfinished when a session is loaded. */
export function* agentEndRows({ record, row, log, synthetic }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('sub_agent_complete', record.payload);
  const status = STATUS.get(fields.status ?? '') ?? 'unknown';
  const run = fields.subSessionId ?? '';
  const head = `delegate task ${status}:${pairs({ agent: log.agents.get(run), sub_session: run })}`;
  const { response, errorMessage } = fields;
  yield row(
    'delegate',
    [head, errorMessage && `error: ${errorMessage}`, response && `output: ${response}`].filter(Boolean).join('\n'),
    '/payload',
    {
      status: synthetic ? 'unknown' : status,
      outcome: status === 'failed' && !synthetic ? 'fail' : 'ambiguous',
      problem: problems(
        problem,
        status === 'failed' && !synthetic && 'may be a repair: then the time is when the session was loaded again',
      ),
      details: { payload: rest('type', 'response', 'errorMessage') },
    },
  );
}

export function* agentProgressRows({ record, row, log }: RecordRows): Generator<Draft> {
  const { fields, problem, rest } = readPayload('sub_agent_progress', record.payload);
  const run = fields.subSessionId ?? '';
  const head = `delegate task progress:${pairs({ agent: log.agents.get(run), sub_session: run })}`;
  yield row('delegate', fields.message ? `${head}: ${fields.message}` : head, '/payload', {
    status: 'running',
    problem,
    details: { payload: rest('type', 'message') },
  });
}
