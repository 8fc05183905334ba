import { isObject, type JsonObject } from '../../evidence/json.js';
import { step } from '../../rows/pointer.js';
import { fromEpochMs, fromEpochSeconds, fromRfc3339, type Instant } from '../../rows/time.js';
import { tameJson } from '../tame-json.js';
import { INNER_KEYS, innerPayload, isCapture, isPayload, parsedObject, userPromptOf } from './shapes.js';

/** A payload taken out of what was captured around it. */
export interface CapturedEvent {
  /** Undefined: what the host handed over is plain text (a prompt), or no payload at all. */
  readonly payload: JsonObject | undefined;
  readonly plainPrompt: string | undefined;
  readonly pointer: string;
  readonly time: Instant | undefined;
  /** A recorded time that cannot be read. */
  readonly badTime: boolean;
  /** What stood around the payload, without what was taken from it. */
  readonly around: JsonObject;
  readonly env: JsonObject;
  /** A text of whoever made the capture, beside payloads. */
  readonly note: boolean;
}

const TIME_KEYS = ['ts', 'timestamp', 'time', 'captured_at', 'capturedAt', 'received_at'] as const;
/** Numbers above are milliseconds; as seconds they would lie beyond the year 5000. */
const SECONDS_LIMIT = 1e11;

export function* eventsOf(value: JsonObject): Generator<CapturedEvent> {
  if (isPayload(value)) {
    const { time, rest, badTime } = timeOf(value);
    const env = isObject(value.env) ? value.env : {};
    yield { payload: rest, plainPrompt: undefined, pointer: '', time, badTime, around: {}, env, note: false };
    return;
  }
  if (isCapture(value)) {
    yield unwrapped(value);
    return;
  }
  const named = Object.entries(value).filter(([, member]) => isObject(member) && isCapture(member));
  // One file that keeps a payload of each kind under a name of its own.
  for (const [key, member] of named) {
    if (!isObject(member)) continue;
    for (const event of eventsOf(member))
      yield { ...event, pointer: step('', key) + event.pointer, around: { ...event.around, name: key } };
  }
  const others = Object.fromEntries(Object.entries(value).filter(([key]) => !named.some(([name]) => name === key)));
  if (named.length > 0 && Object.keys(others).length === 0) return;
  const note = named.length > 0;
  yield { payload: undefined, plainPrompt: undefined, pointer: '', time: undefined, badTime: false, around: others, env: {}, note };
}

function unwrapped(value: JsonObject): CapturedEvent {
  const { time, rest, badTime } = timeOf(value);
  const env = isObject(value.env) ? value.env : {};
  const prompt = userPromptOf(value);
  const shared = { time, badTime, env, note: false };
  if (prompt !== undefined) {
    // The 0.12 channel comes first, as in the adapter: on it standard input is never closed.
    const { USER_PROMPT: _, ...otherEnv } = env;
    const around = without(rest, 'env', otherEnv);
    const payload = tamed(parsedObject(prompt));
    return { payload, plainPrompt: payload ? undefined : prompt, pointer: '/env/USER_PROMPT', around, ...shared };
  }
  const key = INNER_KEYS.find((name) => innerPayload(value[name]) !== undefined) ?? 'payload';
  const inner = tamed(innerPayload(value[key]));
  const { [key]: _, ...around } = rest;
  // A time of the wrapper is when it was written down; one in the payload is taken only without it.
  const own = time === undefined && inner ? timeOf(inner) : undefined;
  return { payload: own?.rest ?? inner, plainPrompt: undefined, pointer: step('', key), around, ...shared, time: time ?? own?.time };
}

function tamed(value: JsonObject | undefined): JsonObject | undefined {
  if (value !== undefined) tameJson(value);
  return value;
}

function without(rest: JsonObject, key: string, value: JsonObject): JsonObject {
  const { [key]: _, ...others } = rest;
  return Object.keys(value).length > 0 ? { ...others, [key]: value } : others;
}

/** A payload has no time of its own: what stands beside it was added by whoever captured it. */
function timeOf(value: JsonObject): { time: Instant | undefined; rest: JsonObject; badTime: boolean } {
  let badTime = false;
  for (const key of TIME_KEYS) {
    const stored = value[key];
    if (stored === undefined || stored === null || stored === '') continue;
    const time = instantOf(stored);
    const { [key]: _, ...rest } = value;
    if (time !== undefined) return { time, rest, badTime: false };
    badTime = true;
  }
  return { time: undefined, rest: value, badTime };
}

function instantOf(stored: unknown): Instant | undefined {
  if (typeof stored === 'number') return stored < SECONDS_LIMIT ? fromEpochSeconds(stored, 'record') : fromEpochMs(stored, 'record');
  if (typeof stored !== 'string') return undefined;
  if (!/^\d{9,16}(?:\.\d{1,9})?$/.test(stored)) return fromRfc3339(stored, 'record');
  const instant = instantOf(Number(stored));
  return instant && { ...instant, original: stored };
}

const STAMP = /\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)/;

/** The time a log prefix holds. */
export function timeInText(text: string): Instant | undefined {
  const stamp = STAMP.exec(text.slice(0, 500))?.[0];
  return stamp === undefined ? undefined : fromRfc3339(stamp, 'record');
}
