import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';

type ResultFields = Required<Pick<Draft, 'status' | 'outcome' | 'exit_code' | 'duration_ms' | 'problem'>>;

const isStatus = (value: unknown) => value === 'completed' || value === 'failed' || value === 'canceled' || value === 'blocked';
const isOutcome = (value: unknown) => value === 'pass' || value === 'fail' || value === 'ambiguous';

/**
 * `status`, `outcome`, `exit_code` and `duration_ms` of a result: the columns mean what Flow Agents means by them. An older
 * record without them proves nothing of how the call ended.
 */
export function resultFields({ status, outcome, exit_code, duration_ms }: JsonObject): ResultFields {
  const code = typeof exit_code === 'number' && Number.isSafeInteger(exit_code) ? exit_code : null;
  const duration = typeof duration_ms === 'number' && Number.isSafeInteger(duration_ms) && duration_ms >= 0 ? duration_ms : null;
  const judged = isOutcome(outcome) ? outcome : code === null ? 'ambiguous' : code === 0 ? 'pass' : 'fail';
  return {
    status: isStatus(status) ? status : 'unknown',
    outcome: judged,
    exit_code: code,
    duration_ms: duration,
    problem: problems(
      contrary(judged, code),
      judged === 'pass' && (status === 'failed' || status === 'canceled') && `recorded as ${status}, with outcome pass`,
    ),
  };
}

/** What an outcome and an exit code say against each other. */
export function contrary(outcome: ResultFields['outcome'], code: number | null): string {
  if (outcome === 'pass' && code !== null && code !== 0) return `recorded as pass, with exit code ${code}`;
  return outcome === 'fail' && code === 0 ? 'recorded as fail, with exit code 0' : '';
}
