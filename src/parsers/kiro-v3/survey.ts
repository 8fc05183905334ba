import { fromRfc3339 } from '../../rows/time.js';
import type { LineContent } from '../json-lines.js';
import { ApprovalSurvey, type Approvals } from './approvals.js';
import { recordOf, type StoredRecord, textOf } from './schema.js';
import { TombstoneSurvey, type Tombstones } from './tombstones.js';

/** What rows need to know of records that stand further down: ids and numbers only, so that memory stays small. */
export interface Survey {
  readonly tombstones: Tombstones;
  readonly approvals: Approvals;
  /** Name of the tool by id of the call. */
  readonly tools: ReadonlyMap<string, string>;
  /** Status of a call as last recorded. */
  readonly statuses: ReadonlyMap<string, string>;
  /** Calls whose file changes were taken back. */
  readonly reverted: ReadonlySet<string>;
  /** Every line could be read. */
  readonly complete: boolean;
  /** A `user` record stands ahead of the first end of a turn. */
  readonly promptAhead: boolean;
  /** When records of the older engine were converted; undefined where there are none. A fork has them from its parent. */
  readonly conversion: { readonly from: number; readonly to: number } | undefined;
}

const CONVERTED_ID = /-(?:text|thinking|tool)-\d+$/;

/** First reading of a log, over what its lines hold. */
export function surveyLog(contents: Iterable<LineContent>): Survey {
  const tombstones = new TombstoneSurvey();
  const approvals = new ApprovalSurvey();
  const tools = new Map<string, string>();
  const statuses = new Map<string, string>();
  const reverted = new Set<string>();
  let complete = true;
  let user = false;
  let turnEnded = false;
  let conversion: { from: number; to: number } | undefined;
  let index = -1;
  for (const content of contents) {
    if ('error' in content) complete = false;
    const record = 'record' in content ? recordOf(content.record.value) : undefined;
    if (record === undefined) continue;
    index += 1;
    tombstones.add(record, index);
    approvals.add(record, index);
    if (record.type === 'tool_call') noteCall(record, tools, statuses);
    else if (record.type === 'tool_revert') reverted.add(textOf(record.payload, 'toolCallId'));
    else if (record.type === 'turn_end') turnEnded = true;
    else if (record.type === 'user' && !turnEnded) user = true;
    conversion = widened(conversion, record);
  }
  return { tombstones, approvals, tools, statuses, reverted, complete, promptAhead: user || !turnEnded, conversion };
}

function noteCall({ payload }: StoredRecord, tools: Map<string, string>, statuses: Map<string, string>): void {
  // Calls are many and large: three texts need no check of the whole.
  const call = textOf(payload, 'toolCallId');
  if (call === '') return;
  const tool = textOf(payload, 'toolName');
  const status = textOf(payload, 'status');
  if (tool !== '') tools.set(call, tool);
  if (status !== '') statuses.set(call, status);
}

/** The converter writes all it makes at one go: records between its first and its last are its own too. */
function widened(range: Survey['conversion'], record: StoredRecord): Survey['conversion'] {
  if (!CONVERTED_ID.test(record.id) || typeof record.timestamp !== 'string') return range;
  const ms = fromRfc3339(record.timestamp, 'message')?.ms;
  if (ms === undefined) return range;
  return { from: Math.min(ms, range?.from ?? ms), to: Math.max(ms, range?.to ?? ms) };
}
