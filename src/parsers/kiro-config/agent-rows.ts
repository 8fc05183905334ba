import { z } from 'zod';
import { compact, isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { pairs, problems, typed, unknownFields } from '../json-store.js';
import { hookRows } from '../q-hook.js';
import {
  AMAZON_Q,
  allowedToolRow,
  denies,
  EXECUTE,
  type GrantContext,
  type GrantRules,
  grants,
  PATHS,
  SERVICES,
  toolSettingRows,
} from '../q-standing-grant.js';
import { hookRow } from './hook-rows.js';
import { kiroServerRows } from './mcp-servers.js';
import { ruleRows } from './rules.js';

// Parts of an agent, whatever form its file has. Kiro is closed source: what is not documented is said to be so, and no more.

const AgentSchema = z.looseObject({
  $schema: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  prompt: z.string().nullish(),
  front_matter_prompt: z.unknown().optional(),
  model: z.string().nullish(),
  mcpServers: z.unknown().optional(),
  tools: z.union([z.string(), z.array(z.unknown())]).nullish(),
  excludedTools: z.array(z.unknown()).nullish(),
  toolAliases: z.unknown().optional(),
  allowedTools: z.array(z.unknown()).nullish(),
  resources: z.array(z.unknown()).nullish(),
  hooks: z.unknown().optional(),
  toolsSettings: z.unknown().optional(),
  permissions: z.unknown().optional(),
  includeMcpJson: z.boolean().nullish(),
  useLegacyMcpJson: z.boolean().nullish(),
  includePowers: z.unknown().optional(),
  keyboardShortcut: z.unknown().optional(),
  welcomeMessage: z.string().nullish(),
  dispatchKind: z.string().nullish(),
});

const KNOWN = new Set(Object.keys(AgentSchema.shape));
/** Fields that have rows of their own. */
const OWN_ROWS = new Set(['prompt', 'model', 'mcpServers', 'allowedTools', 'toolsSettings', 'permissions', 'hooks']);
const NOT_DOCUMENTED = 'not documented: whether it has an effect is not known';

/** Kiro's names of the tools; those of Amazon Q stay possible. */
const KIRO: GrantRules = {
  tools: new Map([
    ...AMAZON_Q.tools,
    ['shell', EXECUTE],
    ...['read', 'write', 'grep', 'glob'].map((tool) => [tool, PATHS] as const),
    ['aws', SERVICES],
    [
      'web_fetch',
      new Map([
        ['trusted', grants('list')],
        ['blocked', denies('list')],
      ]),
    ],
  ]),
  unknownTool: `settings of this tool are ${NOT_DOCUMENTED}`,
  unknownKey: `this key is ${NOT_DOCUMENTED}`,
};

export function* agentRows(agent: JsonObject, context: GrantContext): Generator<Draft> {
  const { fields, problem } = typed(AgentSchema, agent);
  const own = { ...context, rules: KIRO };
  const { model, allowedTools, toolsSettings, permissions, hooks } = agent;
  yield { ...agentRow(agent, fields.prompt), problem: problems(problem, context.verdict), ...context.columns };
  if (model !== undefined && model !== null) yield modelRow(model, context);
  for (const [i, entry] of listOf(allowedTools).entries())
    yield allowedToolRow(entry, Array.isArray(allowedTools), Array.isArray(allowedTools) ? step('/allowedTools', i) : '/allowedTools', own);
  if (isObject(toolsSettings)) for (const [tool, settings] of Object.entries(toolsSettings)) yield* toolSettingRows(tool, settings, own);
  else if (toolsSettings !== undefined && toolsSettings !== null) yield* toolSettingRows('', toolsSettings, own);
  if (isObject(permissions)) yield* ruleRows(permissions, '/permissions', { ...context, scope: 'agent' });
  else if (permissions !== undefined && permissions !== null) yield oddRow('permissions', permissions, 'not an object', context);
  yield* kiroServerRows(agent.mcpServers, '/mcpServers', context);
  if (Array.isArray(hooks)) for (const [i, hook] of hooks.entries()) yield { ...hookRow(hook), source_pointer: step('/hooks', i) };
  else yield* hookRows(hooks, '/hooks', context.columns);
  for (const [key, value] of unknownFields(agent, KNOWN)) yield oddRow(key, value, `a field that is ${NOT_DOCUMENTED}`, context);
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

function agentRow(agent: JsonObject, prompt: string | null | undefined): Draft {
  const { name, description, tools, excludedTools, resources, includeMcpJson, includePowers, dispatchKind } = agent;
  const quoted = typeof description === 'string' ? JSON.stringify(description) : description;
  const head = pairs({ name, description: quoted, tools, excludedTools, resources, includeMcpJson, includePowers, dispatchKind });
  const stored = Object.entries(agent).filter(([key]) => KNOWN.has(key) && !OWN_ROWS.has(key));
  return {
    row_type: 'config',
    text: `agent configuration:${head}${prompt ? `: ${prompt}` : ''}`,
    details: {
      ...Object.fromEntries(stored),
      ...(agent.prompt === undefined || typeof agent.prompt === 'string' ? {} : { prompt: agent.prompt }),
      ...(agent.allowedTools === undefined ? {} : { note: 'holds allowedTools: the v3 engine passes over such a file' }),
    },
  };
}

function modelRow(model: unknown, { columns, verdict }: GrantContext): Draft {
  const row: Draft = { row_type: 'model', text: `model: ${compact(model)} source=agent-config`, source_pointer: '/model', ...columns };
  if (typeof model === 'string') return { ...row, model, problem: verdict };
  return { ...row, problem: problems('the model is not a text', verdict), details: { value: model } };
}

function oddRow(key: string, value: unknown, problem: string, { columns, verdict }: GrantContext): Draft {
  return {
    row_type: 'config',
    text: `agent configuration field: ${key}=${JSON.stringify(value)}`,
    problem: problems(problem, verdict),
    details: { value },
    source_pointer: step('', key),
    ...columns,
  };
}
