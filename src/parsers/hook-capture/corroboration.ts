import type { JsonObject } from '../../evidence/json.js';
import type { Payload } from './payload.js';

// The same call can stand in a session, in a capture and in a command log. Kiro puts no call id into a payload, so that a capture
// mostly cannot be joined to the session by ids: two runs of `npm test` in one minute look the same. Such rows are no copies of
// each other here; they name what to look for instead. Only where whoever captured it added the id of the call (other hosts send
// it), the row has the identity that the session gives its own row, and is a copy of it.

export function identityOf({ session, toolUseId }: Payload, row_type: 'tool_use' | 'tool_result'): string | undefined {
  return session === '' || toolUseId === '' ? undefined : `${session}\u0000${row_type}\u0000${toolUseId}\u00000`;
}

export function candidatesFor(
  payload: Payload,
  row_type: 'tool_use' | 'tool_result',
  command: string,
  paths: readonly string[],
): { readonly corroborates?: readonly JsonObject[] } {
  if (payload.tool === '' || identityOf(payload, row_type) !== undefined) return {};
  const what = { ...(command === '' ? {} : { command }), ...(paths.length === 0 ? {} : { file_paths: paths }) };
  const candidates: JsonObject[] = [];
  if (payload.session !== '') {
    candidates.push({ in: 'session', row_type, session_id: payload.session, tool_name: payload.tool, ...what });
  }
  if (command !== '') candidates.push({ in: 'flow-agents-command-log', row_type: 'tool_result', command: loggedCommand(command) });
  return candidates.length > 0 ? { corroborates: candidates } : {};
}

/** A command as the command log of Flow Agents keeps it: white space collapsed, at most 4096 characters. */
export function loggedCommand(command: string): string {
  return command.replace(/\s+/g, ' ').trim().slice(0, 4096);
}
