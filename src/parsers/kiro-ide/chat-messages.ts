import type { JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';
import { contentOf } from './content.js';
import type { Element } from './document.js';
import { details, rest, textOf, texts } from './fields.js';
import { promptRows, uncalledRows } from './message-rows.js';
import { isBoilerplate } from './prompt-text.js';

const CALL = /<tool_use>([\s\S]*?)(?:<\/tool_use>|$)/g;
const NAME = /<name>\s*([^<]{1,200}?)\s*<\/name>/;

type Columns = Pick<Draft, 'session_id' | 'project_path' | 'rank'>;

/** Rows of the messages of one `.chat` file, in order. Calls and results bear no ids: they are paired by their order. */
export class ChatMessages {
  private readonly open: string[] = [];

  constructor(
    readonly columns: Columns,
    private readonly execution: string,
    private readonly window: JsonObject,
  ) {}

  *rows(message: JsonObject, { key, pointer, problem }: Element): Generator<Draft> {
    const role = textOf(message, 'role');
    const { text, others, calls } = contentOf(message.content);
    const further = rest(message, ...texts(message, 'role'), 'content');
    const columns = {
      ...this.columns,
      source_pointer: pointer,
      problem,
      identity: `kiro-ide\u0000chat\u0000${this.execution}\u0000${role}\u0000${key}`,
      details: details({ ...this.window, message: further, content: others }),
    };
    // An empty answer is what a stream that had not begun left behind.
    if (role === 'bot' && text === '' && others.length + calls.length + Object.keys(further).length === 0) return;
    if (role === 'human') yield* promptRows(text, { ...columns, origin: 'unknown' });
    else if (role === 'bot') yield* this.answer(text, columns);
    else if (role === 'tool') yield this.result(text, columns);
    else {
      yield {
        row_type: 'context',
        text,
        ...columns,
        problem: problems(problem, 'this role is not known'),
        details: { ...columns.details, role: message.role },
      };
    }
    yield* uncalledRows(calls, columns);
  }

  private *answer(text: string, columns: Partial<Draft>): Generator<Draft> {
    yield { row_type: 'assistant', text, origin: isBoilerplate(text) ? 'automatic' : 'agent', ...columns };
    for (const match of text.matchAll(CALL)) {
      const inside = match[1] ?? '';
      const tool = NAME.exec(inside)?.[1] ?? '';
      this.open.push(tool);
      const what = tool === '' ? 'the call names no tool' : '';
      yield {
        row_type: 'tool_use',
        text: inside.trim(),
        origin: 'agent',
        tool_name: tool,
        ...columns,
        problem: problems(columns.problem, what),
      };
    }
  }

  private result(text: string, columns: Partial<Draft>): Draft {
    const tool = this.open.shift();
    return {
      row_type: 'tool_result',
      text,
      tool_name: tool ?? '',
      status: 'unknown',
      outcome: 'ambiguous',
      ...columns,
      problem: problems(columns.problem, tool === undefined && 'no call stands ahead of it'),
      details: { ...columns.details, ...(tool === undefined ? {} : { paired: 'order' }) },
    };
  }
}
