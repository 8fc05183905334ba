import { z } from 'zod';
import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { names, pairs, problems, typed, unknownFields } from '../json-store.js';

// .kiro/hooks/<name>.kiro.hook of the IDE up to 0.12: one hook in a file. 1.x passes over such a file without a word, so that it
// proves what was set up, and for 1.x not that it could run. Fields: awslabs/aidlc-workflows, one public reader.

const LegacySchema = z.looseObject({
  enabled: z.boolean().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  version: z.string().nullish(),
  when: z.looseObject({ type: z.string().nullish(), patterns: z.array(z.string()).nullish() }).nullish(),
  then: z.looseObject({ type: z.string().nullish(), command: z.string().nullish(), prompt: z.string().nullish() }).nullish(),
});

const KNOWN = new Set(Object.keys(LegacySchema.shape));

export function legacyHookRow(hook: JsonObject): Draft {
  const { fields, problem } = typed(LegacySchema, hook);
  const { name, enabled, when, then } = fields;
  const { command, prompt } = then ?? {};
  const unknown = unknownFields(hook, KNOWN).map(([key]) => key);
  const matcher = when?.patterns?.length ? when.patterns.join(' ') : undefined;
  return {
    row_type: 'config',
    text: `hook:${pairs({ name, trigger: when?.type, matcher, type: then?.type, enabled })}: ${command ?? prompt ?? ''}`,
    command: command ?? '',
    problem: problems(
      problem,
      'the form of 0.12 and earlier: Kiro 1.x does not run it',
      !isObject(hook.when) && 'no event is named',
      !command && !prompt && 'neither a command nor a prompt',
      unknown.length > 0 && `fields that are not documented: ${names(unknown)}`,
    ),
    details: hook,
  };
}
