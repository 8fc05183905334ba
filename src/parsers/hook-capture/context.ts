import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';
import type { Instant } from '../../rows/time.js';
import { problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { CapturedEvent } from './events.js';
import { hostOf } from './host.js';
import type { Place } from './objects.js';
import type { OpenCalls } from './pairing.js';
import type { Payload } from './payload.js';

export interface CaptureContext {
  readonly payload: Payload;
  readonly agent: string;
  readonly time: Instant | undefined;
  readonly place: Place;
  readonly calls: OpenCalls;
  readonly row: (type: RowType, text: string, columns?: Omit<Draft, 'row_type' | 'text'>) => Draft;
}

/** What a payload stood in: its object, or line. */
export interface Surroundings {
  readonly place: Place;
  readonly project: string;
  readonly prefix: string;
  readonly prefixTime: Instant | undefined;
  readonly problem: string;
  readonly damaged: Pick<Draft, 'recovered' | 'confidence'> | undefined;
}

export function captureContext(payload: Payload, event: CapturedEvent, around: Surroundings, calls: OpenCalls): CaptureContext {
  const host = hostOf(payload, event.env);
  const time = event.time ?? around.prefixTime;
  const place = { ...around.place, source_pointer: `${around.place.source_pointer ?? ''}${event.pointer}` };
  const malformed = payload.malformed.map((field) => `malformed:${field}`).join(', ');
  const shared: JsonObject = {
    dialect: payload.dialect,
    ...(payload.event === '' ? {} : { event: payload.event }),
    ...host.details,
    ...(payload.cwd === '' && around.project !== '' ? { project_path_source: 'folder of the capture' } : {}),
    ...named('payload', payload.rest),
    ...named('wrapper', event.around),
    ...(around.prefix === '' ? {} : { prefix: around.prefix }),
  };
  let first = true;
  const row: CaptureContext['row'] = (row_type, text, columns = {}) => {
    const details = first ? shared : { dialect: payload.dialect, ...host.details };
    first = false;
    return {
      row_type,
      text,
      agent: host.agent,
      time,
      session_id: payload.session,
      project_path: payload.cwd || around.project,
      ...place,
      ...around.damaged,
      // A session of the program itself is the better source.
      rank: 3,
      ...columns,
      problem: problems(columns.problem, malformed, event.badTime && 'the recorded time is not a date with an offset', around.problem),
      details: { ...columns.details, ...details },
    };
  };
  return { payload, agent: host.agent, time, place, calls, row };
}
