/**
 * Rows for the members of a conversation besides its history: state, settings, tool servers, hooks, files written, summary.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/{conversation,context,line_tracker}.rs, cli/model.rs.
 */
import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { fromEpochMs } from '../../rows/time.js';
import { type Conversation, conversationRow } from './context.js';
import type { ConversationValue } from './value.js';
import { versionHint } from './version.js';

const OWN_ROWS = new Set(['latest_summary', 'next_message']);
const OWN_ROWS_AS_OBJECT = new Set(['tools', 'context_manager', 'file_line_tracker']);

/** Members that come out elsewhere, when they have the shape that is read there. */
function hasOwnRow(key: string, member: unknown): boolean {
  if (key === 'conversation_id') return typeof member === 'string';
  return OWN_ROWS.has(key) || (OWN_ROWS_AS_OBJECT.has(key) && isObject(member));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** State of the conversation as a whole, and the settings it ran with. All undated. */
export function* settingRows(conversation: Conversation, value: ConversationValue): Generator<Draft> {
  const { members } = value;
  const manager = isObject(members.context_manager) ? members.context_manager : {};
  const profile = textOf(manager.current_profile);
  const details = Object.fromEntries(Object.entries(members).filter(([key, member]) => member !== null && !hasOwnRow(key, member)));
  const text = `session: conversation entries=${value.history.length} transcript=${value.transcript.length}${profile === '' ? '' : ` profile=${profile}`} version=${versionHint(value)}`;
  yield conversationRow(conversation, 'session', text, '', { details });
  yield* toolRows(conversation, members.tools);
  yield* contextManagerRows(conversation, manager);
}

/** Tools that stood at the model's disposal, by server; `native___` are the program's own. */
function* toolRows(conversation: Conversation, tools: unknown): Generator<Draft> {
  if (!isObject(tools)) return;
  for (const server of Object.keys(tools).sort()) {
    const specifications = tools[server];
    const names = Array.isArray(specifications) ? specifications.map(toolName).sort() : [];
    const text =
      server === 'native___' ? `tools available: native count=${names.length}` : `mcp server: name=${server} tools=${names.length}`;
    yield conversationRow(conversation, 'config', `${text}: ${names.join(',')}`, step('/tools', server), {
      details: { server, tools: names },
    });
  }
}

function toolName(specification: unknown): string {
  const inner = isObject(specification) ? (Object.values(specification)[0] ?? specification) : undefined;
  return isObject(inner) ? textOf(inner.name) : '';
}

/** Context files and hooks. Hooks are shell commands that ran with the session. */
function* contextManagerRows(conversation: Conversation, manager: JsonObject): Generator<Draft> {
  const { current_profile, hooks, paths, global_config, profile_config, ...rest } = manager;
  const base = '/context_manager';
  if (Object.keys(manager).length > 0) {
    yield conversationRow(conversation, 'config', `context: profile=${textOf(current_profile)}${listOf(paths)}`, base, {
      details: { ...rest, ...(paths === undefined ? {} : { paths }) },
    });
  }
  yield* hookRows(conversation, hooks, `${base}/hooks`, '');
  // 1.10 to 1.12: one set for all profiles and one for the current.
  for (const [key, scope] of [
    ['global_config', global_config],
    ['profile_config', profile_config],
  ] as const) {
    if (!isObject(scope)) continue;
    const { hooks: scoped, paths: scopedPaths, ...others } = scope;
    yield conversationRow(conversation, 'config', `context: scope=${key}${listOf(scopedPaths)}`, `${base}/${key}`, {
      details: { ...others, ...(scopedPaths === undefined ? {} : { paths: scopedPaths }) },
    });
    yield* hookRows(conversation, scoped, `${base}/${key}/hooks`, ` scope=${key}`);
  }
}

const listOf = (paths: unknown): string => (Array.isArray(paths) ? ` paths=${paths.length}: ${paths.map(compact).join(', ')}` : '');

/** `{trigger: [hook, ...]}` (since 1.13.0) or `{name: hook}` with the trigger inside (before). */
function* hookRows(conversation: Conversation, hooks: unknown, pointer: string, scope: string): Generator<Draft> {
  if (!isObject(hooks)) return;
  for (const key of Object.keys(hooks).sort()) {
    const stored = hooks[key];
    for (const [i, hook] of (Array.isArray(stored) ? stored : [stored]).entries()) {
      if (!isObject(hook)) continue;
      const { command, ...details } = hook;
      const trigger = textOf(hook.trigger) || key;
      const name = trigger === key ? '' : ` name=${key}`;
      const at = Array.isArray(stored) ? `${step(pointer, key)}/${i}` : step(pointer, key);
      yield conversationRow(conversation, 'config', `hook: trigger=${trigger}${name}${scope}: ${textOf(command)}`, at, {
        command: textOf(command),
        details,
      });
    }
  }
}

/** Files the agent wrote or tried to write, also where the history entry is gone. */
export function* fileRows(conversation: Conversation, tracker: unknown): Generator<Draft> {
  if (!isObject(tracker)) return;
  for (const path of Object.keys(tracker).sort()) {
    const lines = tracker[path];
    const details = isObject(lines) ? lines : { value: lines };
    const tried = details.is_first_write === true;
    const text = `file: path=${path} lines_added=${compact(details.lines_added_by_agent ?? 0)} lines_removed=${compact(details.lines_removed_by_agent ?? 0)}`;
    yield conversationRow(conversation, 'file', text, step('/file_line_tracker', path), {
      file_paths: [path],
      details,
      problem: tried ? 'a write was tried; none is recorded as done' : '',
    });
  }
}

/** `[text, request metadata]` since 1.13.0, a plain text before. */
export function summaryRow(
  conversation: Conversation,
  stored: unknown,
  pointer: string,
  recovered: Pick<Draft, 'recovered' | 'confidence'> = {},
): Draft | undefined {
  if (stored === null || stored === undefined) return undefined;
  const [text, metadata]: readonly unknown[] = Array.isArray(stored) ? stored : [stored];
  const {
    request_id,
    message_id,
    model_id,
    stream_end_timestamp_ms,
    time_between_chunks: _,
    ...details
  } = isObject(metadata) ? metadata : {};
  return conversationRow(conversation, 'summary', compact(text), Array.isArray(stored) ? `${pointer}/0` : pointer, {
    time: fromEpochMs(stream_end_timestamp_ms, 'stream_end'),
    newRun: true,
    origin: 'agent',
    model: textOf(model_id),
    message_id: textOf(message_id),
    request_id: textOf(request_id),
    details,
    ...recovered,
  });
}
