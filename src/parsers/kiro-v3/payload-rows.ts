import type { Draft } from '../../rows/draft.js';
import { agentEndRows, agentProgressRows, agentStartRows } from './agent-rows.js';
import { assistantRows } from './assistant-rows.js';
import { hookRows, steeringRows } from './context-rows.js';
import { answerRows, questionRows } from './permission-rows.js';
import type { RecordRows } from './record-rows.js';
import { isPayloadType, type PayloadType } from './schema.js';
import {
  errorRows,
  eventRows,
  metadataRows,
  modeRows,
  noteRows,
  startRows,
  tombstoneRows,
  toolRevertRows,
  turnEndRows,
  turnStartRows,
  usageRows,
} from './session-rows.js';
import { callRows, resultRows } from './tool-rows.js';
import { userRows } from './user-rows.js';

const ROWS: Readonly<Record<PayloadType, (context: RecordRows) => Generator<Draft>>> = {
  user: userRows,
  assistant: assistantRows,
  tool_call: callRows,
  tool_result: resultRows,
  pending_interaction: questionRows,
  interaction_resolved: answerRows,
  turn_start: turnStartRows,
  turn_end: turnEndRows,
  session_event: eventRows,
  usage_summary: usageRows,
  session_metadata: metadataRows,
  session_start: startRows,
  steering_inclusion: steeringRows,
  ContextualHookInvoked: hookRows,
  sub_agent_start: agentStartRows,
  sub_agent_complete: agentEndRows,
  sub_agent_progress: agentProgressRows,
  tombstone: tombstoneRows,
  tool_revert: toolRevertRows,
  mode_change: modeRows,
  error: errorRows,
  system: noteRows,
  agent_note: noteRows,
};

/** Rows of one record, whatever its type: a later engine may write types that are not known here. */
export function* payloadRows(context: RecordRows): Generator<Draft> {
  const { type, payload } = context.record;
  if (isPayloadType(type)) yield* ROWS[type](context);
  else
    yield context.row('session', `session: record of unknown type=${type}`, '/payload', {
      problem: 'unknown record type',
      details: { payload },
    });
}
