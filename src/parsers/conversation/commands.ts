/**
 * Lines a person typed at the chat prompt that are not a stored prompt: slash commands, shell commands, prompts without answer.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/cli/ (slash commands).
 */
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';

type MakeRow = (type: RowType, text: string, columns: Omit<Draft, 'row_type' | 'text'>) => Draft;

const NOT_PROVEN = 'typed; whether it was carried out is not recorded';

/** Commands that make history disappear or come from elsewhere. */
const GAPS: readonly (readonly [RegExp, string])[] = [
  [/^\/clear\b/, 'conversation cleared'],
  [/^\/compact\b/, 'conversation compacted'],
  [/^\/load\b/, 'conversation replaced by a loaded one'],
  [/^\/chat\s+load\b/, 'conversation replaced by a loaded one'],
  [/^\/checkpoint\s+restore\b/, 'history cut back to a checkpoint'],
];

/** The typed line as a prompt row, followed by what it means for permissions and for the history. `answered`: an answer follows it. */
export function* commandRows(line: string, answered: boolean, row: MakeRow): Generator<Draft> {
  const shell = line.startsWith('!');
  yield row('prompt', line, {
    origin: 'typed',
    textKey: line,
    command: shell ? line.slice(1).trim() : '',
    problem: answered || shell || line.startsWith('/') ? '' : 'no answer to this prompt is stored',
  });
  yield* trustRows(line, row);
  const gap = GAPS.find(([pattern]) => pattern.test(line));
  if (gap !== undefined) yield row('gap', `gap: ${gap[1]} source=transcript: ${line}`, { problem: NOT_PROVEN });
}

function* trustRows(line: string, row: MakeRow): Generator<Draft> {
  const [head = '', verb = '', ...names] = line.trim().split(/\s+/, 200);
  const all = head === '/acceptall' || (head === '/tools' && (verb === 'trust-all' || verb === 'trustall'));
  const action = all ? 'granted' : head === '/tools' ? { trust: 'granted', untrust: 'revoked', reset: 'revoked' }[verb] : undefined;
  if (action !== 'granted' && action !== 'revoked') return;
  const tools = all || (verb === 'reset' && names.length === 0) ? ['*'] : names;
  for (const tool of tools) {
    yield row('permission', `permission decision: ${action} by=slash-command tools=${tool} source=transcript`, {
      decision: action,
      decided_by: 'slash-command',
      tool_name: tool === '*' ? '' : tool,
      details: { trust: 'for the rest of the session' },
      problem: NOT_PROVEN,
    });
  }
}
