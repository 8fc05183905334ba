import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { jsonLines } from '../json-lines.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { flowTime, textOf } from './event.js';
import { flowPlace } from './place.js';

// .kontourai/flow-agents/<slug>/agents/<id>/events.jsonl: what was handed to a delegate and what it reported.
// They prove that the delegation was written down. A status `pass` is what the delegate, or the model above it, says of itself:
// no outcome follows from it. Evidence: L1, kontourai/flow-agents; real-shaped lines.

const HEAD = /^\ufeff?\s*\{\s*"timestamp"\s*:\s*"[^"\n]{1,40}"\s*,\s*"agent_id"\s*:\s*"[^"\n]{1,200}"\s*,\s*"kind"\s*:/;

export const flowAgentsDelegates: FileParser = {
  id: 'flow-agents-delegates',
  container: 'file',
  detect: (head) => HEAD.test(head.subarray(0, 1024).toString('utf8')),
  parse,
};

const STATUS: Readonly<Record<string, Row['status']>> = {
  active: 'running',
  running: 'running',
  completed: 'completed',
  pass: 'completed',
  failed: 'failed',
  fail: 'failed',
  canceled: 'canceled',
  cancelled: 'canceled',
  blocked: 'blocked',
};

function* parse(source: FileSource): Generator<Draft> {
  const { project, slug } = flowPlace(source.artifact);
  for (const content of jsonLines(source, { begin: '{"timestamp"' })) {
    if ('error' in content) {
      yield { ...content.error, project_path: project };
      continue;
    }
    const { value, place, problem, damaged } = content.record;
    const time = flowTime(value.timestamp);
    const { timestamp, summary, model, ...rest } = value;
    const status = textOf(value.status);
    const shown = pairs({ kind: value.kind, agent: value.agent_id, role: value.role, status });
    yield {
      row_type: 'delegate',
      text: `delegate:${shown}: ${textOf(summary)}`,
      time,
      origin: 'agent',
      model: textOf(model),
      status: Object.hasOwn(STATUS, status) ? (STATUS[status] ?? 'unknown') : 'unknown',
      outcome: 'ambiguous',
      project_path: project,
      ...place,
      ...damaged,
      problem: problems(!time && 'the record holds no time that can be read', problem),
      details: {
        slug,
        record: {
          ...rest,
          ...(time ? {} : { timestamp }),
          ...(typeof summary === 'string' ? {} : { summary }),
          ...(typeof model === 'string' ? {} : { model }),
        },
      },
    };
  }
}
