import { z } from 'zod';
import { compact, isObject, type JsonObject } from '../evidence/json.js';
import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { names, pairs, problems, readObject, type StoreColumns, storeColumns, typed, unknownFields } from './json-store.js';
import { mcpServerRows } from './mcp-server.js';
import type { FileParser } from './parser.js';
import { hookRows } from './q-hook.js';
import { allowedToolRow, type GrantContext, toolSettingRows } from './q-standing-grant.js';

// An agent file of Amazon Q Developer CLI (cli-agents/<name>.json), of the user or of a project.
// It proves what an agent may do without being asked, what it is denied, which programs (MCP servers, hooks) run with it,
// and its default model and prompt. It cannot show that the agent was ever used, nor grants given at a prompt or with
// --trust-all-tools: these live in memory only. Project agents win over the user's of the same name.
// It holds no time: rows carry the file time, that of the last change of any part.
// The program refuses a file with a field it does not know; keys inside `toolsSettings` that it does not know it ignores.
// Versions: from 1.13.0; builds of July 2025 used the folders agents and personas. Evidence: L1,
// aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/mod.rs, src/cli/chat/tools/*; one real file seen.

const AgentSchema = z.looseObject({
  $schema: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  prompt: z.string().nullish(),
  model: z.string().nullish(),
  mcpServers: z.unknown().optional(),
  tools: z.array(z.string()).nullish(),
  toolAliases: z.unknown().optional(),
  allowedTools: z.array(z.unknown()).nullish(),
  resources: z.array(z.string()).nullish(),
  hooks: z.unknown().optional(),
  toolsSettings: z.unknown().optional(),
  useLegacyMcpJson: z.boolean().nullish(),
});

const KNOWN = new Set(Object.keys(AgentSchema.shape));
const IN_AGENT_ROW = ['$schema', 'name', 'description', 'tools', 'resources', 'toolAliases', 'useLegacyMcpJson'];

export const qAgentConfig: FileParser = { id: 'q-agent-config', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const columns = storeColumns(source.artifact);
  const agent = yield* readObject(source, 'agent configuration');
  if (!agent) return;
  const { fields, problem } = typed(AgentSchema, agent);
  const unknown = unknownFields(agent, KNOWN);
  const refused = problems(
    problem,
    typeof fields.name !== 'string' && 'no name',
    unknown.length > 0 && `unknown fields ${names(unknown.map(([key]) => key))}`,
  );
  const verdict = refused === '' ? '' : `the program (1.13 to 1.19) rejects this file and what it grants: ${refused}`;
  yield { ...agentRow(agent, fields.prompt), problem: verdict, ...columns };
  yield* modelRow(agent.model, columns);
  yield* permissionRows(agent, { file: source.artifact.file, verdict, columns });
  yield* mcpServerRows(agent.mcpServers, '/mcpServers', columns);
  yield* hookRows(agent.hooks, '/hooks', columns);
  for (const [key, value] of unknown) {
    yield {
      row_type: 'config',
      text: `agent configuration field: ${key}=${JSON.stringify(value)}`,
      problem: 'a field the program does not know: it rejects the whole file',
      details: { value },
      source_pointer: step('', key),
      ...columns,
    };
  }
}

function agentRow(agent: JsonObject, prompt: string | null | undefined): Draft {
  const { name, description, tools, resources, toolAliases, useLegacyMcpJson } = agent;
  const quoted = typeof description === 'string' ? JSON.stringify(description) : description;
  const head = pairs({ name, description: quoted, tools, resources, toolAliases, useLegacyMcpJson });
  const strangePrompt = agent.prompt !== undefined && typeof agent.prompt !== 'string' ? { prompt: agent.prompt } : {};
  const stored = Object.fromEntries(Object.entries(agent).filter(([key]) => IN_AGENT_ROW.includes(key)));
  return {
    row_type: 'config',
    text: `agent configuration:${head}${prompt ? `: ${prompt}` : ''}`,
    details: { ...stored, ...strangePrompt },
  };
}

function* modelRow(model: unknown, columns: StoreColumns): Generator<Draft> {
  if (model === undefined || model === null) return;
  const row: Draft = { row_type: 'model', text: `model: ${compact(model)} source=agent-config`, source_pointer: '/model', ...columns };
  yield typeof model === 'string' ? { ...row, model } : { ...row, problem: 'the model is not a text', details: { value: model } };
}

function* permissionRows(agent: JsonObject, context: GrantContext): Generator<Draft> {
  const { allowedTools, toolsSettings } = agent;
  if (Array.isArray(allowedTools)) {
    for (const [index, entry] of allowedTools.entries()) yield allowedToolRow(entry, true, step('/allowedTools', index), context);
  } else if (allowedTools !== undefined && allowedTools !== null) {
    yield allowedToolRow(allowedTools, false, '/allowedTools', context);
  }
  if (isObject(toolsSettings)) {
    for (const [tool, settings] of Object.entries(toolsSettings)) yield* toolSettingRows(tool, settings, context);
  } else if (toolsSettings !== undefined && toolsSettings !== null) {
    yield* toolSettingRows('', toolsSettings, context);
  }
}
