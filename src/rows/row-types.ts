export const ROW_TYPES = {
  prompt: 'user',
  assistant: 'assistant',
  thinking: 'assistant',
  tool_use: 'tool_use',
  tool_result: 'tool_result',
  permission: 'system',
  model: 'system',
  recovered: 'system',
  summary: 'system',
  context: 'system',
  session: 'system',
  delegate: 'system',
  config: 'system',
  usage: 'system',
  file: 'system',
  shell: 'system',
  log: 'system',
  gap: 'system',
  error: 'system',
} as const;

export type RowType = keyof typeof ROW_TYPES;
export type TurnType = (typeof ROW_TYPES)[RowType];

/** What each row type stands for; the column reference in the docs is made from it. */
export const ROW_TYPE_MEANING: Readonly<Record<RowType, string>> = {
  prompt: 'a prompt; also an entry of a prompt history (secondary, undated)',
  assistant: 'text of the assistant; with origin `automatic`, a message the agent program wrote in its place',
  thinking: 'stored reasoning',
  tool_use: 'a tool call',
  tool_result: 'a result of a tool call; the text begins with `cancelled` when the call was cancelled',
  permission: 'a decision on a call, or a standing grant or denial in a configuration',
  model: 'the model in use at the start of a conversation, each change, each configured default',
  recovered: 'notice ahead of the entries taken from one copy',
  summary: 'a compaction summary',
  context: 'text put before the model that nobody typed (hook output, notices), when it differs from the previous one',
  session: 'start, end, parent, mode or state of a session, as far as stored',
  delegate: 'launch or end of a delegated task',
  config: 'another security-relevant setting (MCP server, hook, feature switch, stored credential)',
  usage: 'credits or tokens, where a store records them as an event',
  file: 'a file the agent touched, known from a tracker or snapshot',
  shell: 'a command of the shell-history table',
  log: 'a record of a log file of the agent program',
  gap: 'something known to have existed, or expected, that is not there',
  error: 'evidence that could not be read or parsed, in whole or in part: `parser: ...`',
};
