import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { contentOf } from './content.js';
import type { Document } from './document.js';
import { details, knownRole, rest, textOf, texts } from './fields.js';
import { callIdentity } from './identity.js';
import type { ExecutionSurvey } from './survey.js';

// Each execution log repeats the conversation before it: as the window showed it (`input.data.messages`), and as the model got it
// (`context.messages`, or `messagesFromExecutionId` in one of two places, by build). Some of it may be the only copy.

export interface Told {
  readonly text: string;
  readonly pointer: string;
  readonly details: JsonObject;
  /** Execution that answered it, where the list says so. */
  readonly execution: string;
  readonly role: string;
}

export interface Response {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The three places of the conversation as the model got it, the most complete one first by custom. */
export const REPEATED = [['context', 'messages'], ['messagesFromExecutionId'], ['input', 'data', 'messagesFromExecutionId']] as const;

/** What a log holds besides its actions. */
export class Earlier {
  /** Messages of the window ahead of the prompt of this execution. */
  readonly told: readonly Told[];
  readonly own: Told | undefined;
  /** Calls and results as the model saw them, by id. */
  private readonly uses = new Map<string, JsonObject>();
  private readonly responses = new Map<string, Response>();
  private readonly taken = new Set<string>();

  constructor(
    readonly document: Document,
    readonly session: string,
    readonly execution: string,
    private readonly survey: ExecutionSurvey,
  ) {
    const told = toldIn(document);
    const at = told.findLastIndex((message) => message.role === 'user');
    this.own = at < 0 ? undefined : told[at];
    this.told = told.filter((_, i) => i !== at);
    if (survey.ids.size > 0) this.collect();
  }

  isActed(id: string): boolean {
    return this.survey.ids.has(id);
  }

  /** What the assistant said in the actions of this log. */
  get answers(): readonly string[] {
    return this.survey.answers;
  }

  /** The call as the model made it. */
  useOf(id: string): JsonObject | undefined {
    return this.uses.get(id);
  }

  /** The result as the model got it. It is then not given again. */
  takeResponse(id: string): Response | undefined {
    this.taken.add(id);
    return this.responses.get(id);
  }

  /** Results of actions that gave no row of a result themselves. */
  *unanswered(columns: Partial<Draft>): Generator<Draft> {
    for (const [id, { value, pointer }] of this.responses) {
      if (this.taken.has(id)) continue;
      const { text, others } = contentOf(value.message);
      yield {
        row_type: 'tool_result',
        text,
        tool_use_id: id,
        tool_name: textOf(value, 'name'),
        status: 'unknown',
        outcome: 'ambiguous',
        source_pointer: pointer,
        identity: callIdentity('tool_result', id),
        ...columns,
        details: details({ response: rest(value, ...texts(value, 'type', 'id', 'name'), 'message'), content: others }),
      };
    }
  }

  private collect(): void {
    for (const list of REPEATED) {
      for (const element of this.document.elements(...list)) {
        const entries = 'error' in element || !isObject(element.value) ? undefined : element.value.entries;
        if ('error' in element || !Array.isArray(entries)) continue;
        for (const [i, entry] of entries.entries()) {
          const id = textOf(entry, 'id');
          if (!isObject(entry) || !this.survey.ids.has(id)) continue;
          if (entry.type === 'toolUse') this.uses.set(id, entry);
          else if (entry.type === 'toolUseResponse') this.responses.set(id, { value: entry, pointer: `${element.pointer}/entries/${i}` });
        }
      }
    }
  }
}

/** Messages of the window. A prompt is answered by the execution that stands behind it. */
function toldIn(document: Document): Told[] {
  const told: Told[] = [];
  for (const element of document.elements('input', 'data', 'messages')) {
    if ('error' in element || !isObject(element.value)) continue;
    const { text, others, executions, calls } = contentOf(element.value.content);
    const role = textOf(element.value, 'role');
    const execution = executions[0] ?? textOf(element.value, 'executionId');
    const last = told.at(-1);
    if (role !== 'user' && last?.role === 'user' && last.execution === '' && execution !== '') told.splice(-1, 1, { ...last, execution });
    const further = rest(element.value, ...knownRole(element.value), ...texts(element.value, 'id'), 'content');
    const extra = details({ message: further, content: [...others, ...calls], execution_logs: executions });
    // A message that only stands for an execution says nothing itself.
    if (role === 'user' || text !== '' || others.length + calls.length + Object.keys(further).length > 0) {
      told.push({ text, pointer: element.pointer, details: extra, execution, role });
    }
  }
  return told;
}
