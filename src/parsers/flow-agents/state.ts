import type { Draft } from '../../rows/draft.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import { membersOf, type Sidecar } from './members.js';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** state.json of a piece of work. Its statuses are those of the work, not of a call: they stay out of the column. */
export function* stateRows({ record, slug, time }: Sidecar): Generator<Draft> {
  const shown = pairs({ status: record.status, phase: record.phase, branch: record.branch, slug });
  yield {
    row_type: 'session',
    text: `session: workflow state${shown}`,
    time,
    origin: 'automatic',
    details: { slug, ...named('record', record) },
  };
}

/** state.json of a flow run: where it stands, and each step from one state to the next. */
export function* runRows({ record, time }: Sidecar): Generator<Draft> {
  const { transitions, ...rest } = record;
  const { objects, others } = membersOf(transitions, '/transitions');
  yield {
    row_type: 'session',
    text: `session: flow run${pairs({ status: record.status, step: record.current_step, transitions: objects.length })}`,
    time,
    origin: 'automatic',
    details: named('record', { ...rest, transitions: others }),
  };
  for (const { value, pointer } of objects) {
    const at = typeof value.at === 'string' ? fromRfc3339(value.at, 'record') : undefined;
    const shown = pairs({ from: value.from_step, to: value.to_step, status: value.status, gate: value.gate_id });
    yield {
      row_type: 'session',
      text: `session: flow transition${shown}: ${text(value.reason)}`,
      time: at,
      origin: 'automatic',
      newRun: true,
      source_pointer: pointer,
      problem: at ? '' : 'the transition holds no time that can be read',
      details: named('record', value),
    };
  }
}

/** current.json, current/<actor>.json: which piece of work is active, for all or for one actor. */
export function* pointerRows({ record, time }: Sidecar, name: string): Generator<Draft> {
  const actor = /^current\.json$/i.test(name) ? '' : name.replace(/\.json$/i, '');
  const shown = pairs({ slug: record.active_slug, flow: record.active_flow_id, step: record.active_step_id, actor });
  yield {
    row_type: 'session',
    text: `session: active work${shown}`,
    time,
    origin: 'automatic',
    details: { actor, ...named('record', record) },
  };
}

/** Any other record of the folder: whole. */
export function* recordRows({ record, slug, time }: Sidecar, name: string): Generator<Draft> {
  const shown = pairs({ file: name, status: record.status, slug });
  yield {
    row_type: 'session',
    text: `session: workflow record${shown}`,
    time,
    origin: 'automatic',
    details: { slug, ...named('record', record) },
  };
}
