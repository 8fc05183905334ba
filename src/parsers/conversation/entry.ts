/**
 * One history entry as rows: model, prompt or results with their permission rows, context, assistant text, tool uses.
 * Used for live entries, snapshots, tangent copies and recovered pages alike.
 */
import { compact, isObject } from '../../evidence/json.js';
import type { CredentialPlace, Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { answerRows } from './answer.js';
import { type Conversation, recoveredAs, type Sequence } from './context.js';
import { type EntryRows, entryContext, type GapFacts } from './entry-context.js';
import type { Entry } from './schema.js';
import { userRows } from './user.js';

export function* entryRows(
  conversation: Conversation,
  sequence: Sequence,
  entry: Entry,
  index: number,
  pointer: string,
  gap: GapFacts,
): Generator<Draft> {
  const context = entryContext(conversation, sequence, entry, index, pointer, gap);
  yield* modelRow(context);
  yield* userRows(context);
  yield* contextRow(context);
  yield* answerRows(context);
  for (const odd of entry.odd) yield { ...errorDraft('field of unexpected shape set aside', odd), ...placeOf(context) };
  const extra = Object.keys(entry.extra).length > 0 ? entry.extra : undefined;
  if (extra !== undefined) {
    yield context.row('context', `unknown fields: ${Object.keys(extra).join(',')}`, pointer, {
      details: extra,
      problem: 'fields of a version not known here',
    });
  }
  sequence.previousTag = entry.assistant.tag;
}

function placeOf({ conversation, pointer, sequence }: EntryRows): Partial<Draft> {
  const { agent, id, project, line } = conversation;
  return { agent, session_id: id, project_path: project, source_line: line, source_pointer: pointer, ...recoveredAs(sequence) };
}

function* modelRow(context: EntryRows): Generator<Draft> {
  const { sequence, model, conversation, entry, pointer } = context;
  if (model === '' || model === sequence.model) return;
  const fallback = entry.metadata?.model_id ? '' : conversation.fallbackModel ? ` source=${conversation.fallbackModel.source}` : '';
  const text = sequence.model === '' ? `model: ${model}${fallback}` : `model: ${sequence.model} -> ${model}${fallback}`;
  sequence.model = model;
  yield context.row('model', text, `${pointer}/${entry.steps.metadata}`, { time: context.userTime, model });
}

/** Text that was sent with the message but that nobody typed: hook output, notices of delegated tasks. */
function* contextRow(context: EntryRows): Generator<Draft> {
  const { entry, sequence, pointer, userTime, model } = context;
  const stored = entry.user.additional_context ?? '';
  if (stored !== '' && stored !== sequence.additionalContext) {
    yield context.row('context', stored, `${pointer}/${entry.steps.user}/additional_context`, {
      time: userTime,
      origin: 'injected',
      model,
    });
  }
  sequence.additionalContext = stored;
  const variables = entry.user.env_context?.env_state?.environment_variables ?? [];
  if (variables.length > 0) {
    const { text, credentials } = environmentText(variables);
    yield context.row('context', text, `${pointer}/${entry.steps.user}/env_context/env_state/environment_variables`, {
      time: userTime,
      origin: 'injected',
      credentials,
    });
  }
}

/** One line a variable, and where each value stands: variables hold credentials and other values side by side. */
function environmentText(variables: readonly unknown[]): { text: string; credentials: CredentialPlace[] } {
  let text = 'environment:';
  const credentials: CredentialPlace[] = [];
  for (const variable of variables) {
    if (!isObject(variable)) {
      text += `\n${compact(variable)}`;
      continue;
    }
    const key = compact(variable.key);
    const value = compact(variable.value);
    const start = text.length + key.length + 2;
    text += `\n${key}=${value}`;
    if (value !== '') credentials.push({ column: 'text', start, end: start + value.length, rule: 'environment-variable', key });
  }
  return { text, credentials };
}
