import { z } from 'zod';
import { compact, isObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { names, pairs, problems, typed, unknownFields } from '../json-store.js';

// A hook of the v3 engine: a command that runs, or a prompt that is sent, on an event. Field lists read in the bundle by others;
// triggers as in rimio-ai/rimz (protocol reference of 2.21.4) and dwalleck/cyril (wire audit).

const HookSchema = z.looseObject({
  name: z.string().nullish(),
  description: z.string().nullish(),
  trigger: z.string().nullish(),
  matcher: z.string().nullish(),
  action: z.looseObject({ type: z.string().nullish(), command: z.string().nullish(), prompt: z.string().nullish() }).nullish(),
  timeout: z.number().nullish(),
  enabled: z.boolean().nullish(),
  confirm: z.boolean().nullish(),
});

const KNOWN = new Set(Object.keys(HookSchema.shape));
const TRIGGERS = new Set(
  (
    'SessionStart UserPromptSubmit PreToolUse PostToolUse Stop PreTaskExec PostTaskExec ' +
    'PostFileCreate PostFileSave PostFileDelete Manual'
  ).split(' '),
);

export function hookRow(hook: unknown): Draft {
  if (!isObject(hook))
    return { row_type: 'config', text: `hook: ${compact(hook)}`, problem: 'the hook is not a JSON object', details: { value: hook } };
  const { fields, problem } = typed(HookSchema, hook);
  const { name, trigger, matcher, action, timeout, enabled, confirm } = fields;
  const unknown = unknownFields(hook, KNOWN).map(([key]) => key);
  const { command, prompt } = action ?? {};
  const shown = pairs({ name, trigger, matcher, type: action?.type, timeout, enabled, confirm });
  return {
    row_type: 'config',
    text: `hook:${shown}: ${command ?? prompt ?? ''}`,
    command: command ?? '',
    problem: problems(
      problem,
      !command && !prompt && 'neither a command nor a prompt',
      (trigger ?? '') !== '' && !TRIGGERS.has(trigger ?? '') && 'a trigger that is not documented',
      unknown.length > 0 && `fields that are not documented: ${names(unknown)}`,
    ),
    details: hook,
  };
}
