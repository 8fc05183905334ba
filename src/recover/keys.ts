import { createHash, hash } from 'node:crypto';

export { sha256Of } from '../evidence/sha256.js';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A history entry, in the object or in the pair form, with what keys and checks need. */
export interface EntryFacts {
  readonly messageId: string;
  readonly metadataMessageId: string;
  readonly requestId: string;
  readonly prompt: string;
  readonly answer: string;
  readonly tag: string;
  readonly timestamp: string;
  readonly directory: string;
  /** Ids of the calls it makes and of the results it brings. */
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly metadata: Record<string, unknown>;
}

export function factsOf(raw: unknown): EntryFacts {
  const pair = Array.isArray(raw) ? list(raw) : undefined;
  const whole = record(raw);
  const user = record(pair?.[0] ?? whole.user);
  const assistant = record(pair?.[1] ?? whole.assistant);
  const metadata = record(pair?.[2] ?? whole.request_metadata);
  const [tag = '', body] = Object.entries(assistant)[0] ?? [];
  const message = record(body);
  const content = record(user.content);
  const answers = record(content.ToolUseResults ?? content.CancelledToolUses);
  return {
    messageId: text(message.message_id),
    metadataMessageId: text(metadata.message_id),
    requestId: text(metadata.request_id),
    prompt: text(record(content.Prompt).prompt) || text(answers.prompt),
    answer: text(message.content),
    tag,
    timestamp: text(user.timestamp),
    directory: text(record(record(user.env_context).env_state).current_working_directory),
    calls: list(message.tool_uses).map((call) => text(record(call).id)),
    results: list(answers.tool_use_results).map((result) => text(record(result).tool_use_id)),
    metadata,
  };
}

/** What makes two stored entries the same one: the message id, else the request id, else its calls, else its bytes. */
export function entryKeyOf(facts: EntryFacts, sha256: string): string {
  const message = facts.messageId || facts.metadataMessageId;
  if (message !== '') return `m:${message}`;
  if (facts.requestId !== '') return `q:${facts.requestId}`;
  const calls = facts.calls.filter((id) => id !== '').join(',');
  return calls !== '' ? `t:${calls}` : `h:${sha256}`;
}

/** Ids by which an entry is tied to its conversation. */
export function linksOf(facts: EntryFacts): string[] {
  return [...facts.calls, ...facts.results].filter((id) => id !== '').map((id) => `c:${id}`);
}

// One-shot hashing (Node 20.12 and later) costs half as much as a hash object.
const sha1Of: (text: string) => string =
  typeof hash === 'function' ? (text) => hash('sha1', text, 'binary') : (text) => createHash('sha1').update(text).digest('binary');

/** Stands for a text of a kind in the sets that keep out what is known already. */
export function textKey(kind: string, content: string): string {
  return sha1Of(`${kind}\u0000${content}`).slice(0, 12);
}

const TOOL_SUFFIX = /\n\[Tool uses: [^\]\n]{0,10000}\]$/;

/** A transcript element as what it repeats: `> ` marks a prompt, whose line feeds are written `> \n`; answers name their tools. */
export function transcriptText(element: string): { readonly user: boolean; readonly text: string } {
  const suffix = element.endsWith(']') ? TOOL_SUFFIX.exec(element) : null;
  if (suffix !== null) return { user: false, text: element.slice(0, suffix.index) };
  return element.startsWith('> ') ? { user: true, text: element.slice(2).replaceAll('> \n', '\n') } : { user: false, text: element };
}

/** Text keys of all that an entry says. */
export function textKeysOf(facts: EntryFacts): string[] {
  const keys = [...facts.results.map((id) => textKey('result', id)), ...facts.calls.map((id) => textKey('call', id))];
  if (facts.prompt !== '') keys.push(textKey('prompt', facts.prompt));
  if (facts.answer !== '') keys.push(textKey('answer', facts.answer));
  return keys;
}
