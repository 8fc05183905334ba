import { z } from 'zod';
import { compact, isObject } from '../evidence/json.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { names, pairs, problems, type StoreColumns, typed, unknownFields } from './json-store.js';

// Hooks run their command in a shell without asking. Agent files keep a list per trigger
// (aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/hook.rs), legacy context files one hook per name
// (crates/chat-cli/src/cli/agent/legacy/hooks.rs).

const HookSchema = z.looseObject({
  trigger: z.string().nullish(),
  type: z.string().nullish(),
  disabled: z.boolean().nullish(),
  timeout_ms: z.number().nullish(),
  max_output_size: z.number().nullish(),
  cache_ttl_seconds: z.number().nullish(),
  matcher: z.string().nullish(),
  command: z.string().nullish(),
});

const KNOWN = new Set(Object.keys(HookSchema.shape));
const TRIGGERS = new Set(['agentSpawn', 'userPromptSubmit', 'preToolUse', 'postToolUse', 'stop']);

/** Rows of a `hooks` object of either shape: a list under a key is a trigger's, an object under a key is a named hook. */
export function* hookRows(hooks: unknown, pointer: string, columns: StoreColumns): Generator<Draft> {
  if (hooks === undefined || hooks === null) return;
  if (!isObject(hooks)) {
    yield {
      row_type: 'config',
      text: `hooks: ${compact(hooks)}`,
      problem: 'the hooks are not a JSON object',
      details: { value: hooks },
      source_pointer: pointer,
      ...columns,
    };
    return;
  }
  for (const [key, value] of Object.entries(hooks)) {
    const at = step(pointer, key);
    if (!Array.isArray(value)) {
      yield { ...hookRow({ name: key }, value), source_pointer: at, ...columns };
      continue;
    }
    const stray = !TRIGGERS.has(key) && 'the program knows no such trigger';
    for (const [index, hook] of value.entries()) {
      const row = hookRow({ trigger: key }, hook);
      yield { ...row, problem: problems(row.problem, stray), source_pointer: step(at, index), ...columns };
    }
  }
}

function hookRow(where: { readonly name: string } | { readonly trigger: string }, hook: unknown): Draft {
  if (!isObject(hook)) {
    return {
      row_type: 'config',
      text: `hook:${pairs(where)}: ${compact(hook)}`,
      problem: 'the hook is not a JSON object',
      details: { value: hook },
    };
  }
  const { fields, problem } = typed(HookSchema, hook);
  const unknown = unknownFields(hook, KNOWN).map(([key]) => key);
  const { trigger, type, matcher, disabled, timeout_ms, command } = fields;
  return {
    row_type: 'config',
    text: `hook:${pairs({ trigger, ...where, type, matcher, disabled, timeout_ms })}: ${command ?? ''}`,
    command: command ?? '',
    problem: problems(
      problem,
      (command ?? '') === '' && 'no command',
      unknown.length > 0 && `fields the program does not know: ${names(unknown)}`,
    ),
    details: hook,
  };
}
