import type { Draft } from '../../rows/draft.js';
import type { Row } from '../../rows/row.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs, problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { Block } from './blocks.js';

type Columns = Pick<Draft, 'row_type' | 'text'> & Partial<Draft>;

/** The row of one audit block. All its fields are in the details, as stored. */
export function blockRow(block: Block): Draft {
  const { line, offset, text, title } = block;
  const event = field(block, 'Event');
  const stamp = field(block, 'Timestamp');
  const time = fromRfc3339(stamp, 'record');
  const columns = event === '' ? noteRow(block) : eventRow(block, event);
  return {
    session_id: field(block, 'Session') || field(block, 'Session ID'),
    time,
    ...columns,
    source_line: line,
    source_offset: offset,
    problem: problems(
      columns.problem,
      event !== '' && stamp === '' && 'no time is recorded',
      stamp !== '' && !time && 'the recorded time is not a date',
      block.problem,
      block.cut && 'the file ends here without a line feed: the block may be cut',
    ),
    details: { title, ...named('fields', fieldsOf(block)), ...(text === '' ? {} : { text }) },
  };
}

function field({ fields }: Block, key: string): string {
  return fields.find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1] ?? '';
}

function first(block: Block, ...keys: readonly string[]): string {
  return keys.map((key) => field(block, key)).find((value) => value !== '') ?? '';
}

function fieldsOf({ fields }: Block): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of fields) values.set(key, [...(values.get(key) ?? []), value]);
  return Object.fromEntries([...values].map(([key, list]) => [key, list.length === 1 ? (list[0] ?? '') : list]));
}

function noteRow({ title, text }: Block): Columns {
  return { row_type: 'log', text: `log: audit note${pairs({ title })}${text === '' ? '' : `: ${text}`}`, origin: 'unknown' };
}

const DECISIONS: Readonly<Record<string, Row['decision']>> = {
  GATE_APPROVED: 'approved',
  GATE_REJECTED: 'denied',
  PLAN_APPROVAL_OVERRIDDEN: 'granted',
  GUARD_DISABLED: 'granted',
};
const PERMISSION = /^(?:GATE_|PLAN_APPROVAL_|DECISION_|GUARD_)|_BLOCKED$/;

function eventRow(block: Block, event: string): Columns {
  if (event === 'QUESTION_ANSWERED') return answerRow(block);
  if (PERMISSION.test(event)) return permissionRow(block, event);
  if (event.startsWith('ARTIFACT_')) return artifactRow(block, event);
  if (event === 'SUBAGENT_COMPLETED') return delegateRow(block);
  const facts = pairs({ stage: field(block, 'Stage'), phase: field(block, 'Phase') });
  const note = event === 'HUMAN_TURN' ? 'the words of the person are not recorded here' : '';
  const host = event === 'HOST_TURN' ? 'a prompt that the host made, not a person' : '';
  return {
    row_type: 'session',
    text: `session: event=${event}${facts}: ${block.title}`,
    origin: 'automatic',
    problem: problems(note, host),
  };
}

/** The agent records an answer by a command of the engine: the words need not be those of the person. */
function answerRow(block: Block): Columns {
  const text = first(block, 'Answer', 'User Input', 'Response', 'Details', 'Message');
  const missing = text === '' ? 'the block holds no answer' : '';
  return { row_type: 'prompt', text: text || block.text, origin: 'unknown', problem: block.text === '' ? missing : '' };
}

function permissionRow(block: Block, event: string): Columns {
  const blocked = event.endsWith('_BLOCKED');
  const decision = blocked ? 'denied' : (DECISIONS[event] ?? 'unknown');
  const by = blocked ? 'hook' : event.startsWith('GATE_') ? 'gate' : event.startsWith('GUARD_') ? 'config' : 'unknown';
  const tool = field(block, 'Tool');
  const path = field(block, 'File');
  const shown = pairs({ event, stage: field(block, 'Stage'), tool });
  const text = first(block, 'Decision', 'Reason', 'User Input', 'Details', 'Message');
  return {
    row_type: 'permission',
    text: `permission decision: ${blocked ? 'blocked' : decision} by=${by}${shown}${text === '' ? '' : `: ${text}`}`,
    decision,
    decided_by: by,
    tool_name: tool,
    file_paths: path === '' ? [] : [path],
  };
}

function artifactRow(block: Block, event: string): Columns {
  const path = field(block, 'File');
  return {
    row_type: 'tool_result',
    text: field(block, 'Context') || `${event}: ${path}`,
    tool_name: field(block, 'Tool'),
    file_paths: path === '' ? [] : [path],
    // Written after a result that named the file; whether the content is what was wanted is not said.
    status: 'completed',
    outcome: 'ambiguous',
    problem: path === '' ? 'the block names no file' : '',
  };
}

function delegateRow(block: Block): Columns {
  const agent = field(block, 'Agent Type');
  return {
    row_type: 'tool_result',
    text: field(block, 'Message'),
    tool_name: 'subagent',
    tool_use_id: field(block, 'Agent ID'),
    status: 'completed',
    outcome: 'ambiguous',
    problem: agent === '' || agent === 'unknown' ? 'which agent ended is not recorded' : '',
  };
}
