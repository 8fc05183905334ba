import { z } from 'zod';
import { compact, isObject } from '../evidence/json.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { names, pairs, problems, type StoreColumns, typed, unknownFields } from './json-store.js';

// An MCP server as agent files and mcp.json store it
// (aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/tools/custom_tool.rs, 1.19.7).

const ServerSchema = z.looseObject({
  type: z.string().nullish(),
  url: z.string().nullish(),
  headers: z.unknown().optional(),
  oauthScopes: z.unknown().optional(),
  oauth: z.unknown().optional(),
  command: z.string().nullish(),
  args: z.array(z.unknown()).nullish(),
  env: z.unknown().optional(),
  timeout: z.number().nullish(),
  disabled: z.boolean().nullish(),
});

const KNOWN = new Set(Object.keys(ServerSchema.shape));
const NOT_AN_OBJECT = 'the servers are not a JSON object';

/** One row per server of a `mcpServers` object. */
export function* mcpServerRows(servers: unknown, pointer: string, columns: StoreColumns): Generator<Draft> {
  if (servers === undefined || servers === null) return;
  if (!isObject(servers)) {
    yield {
      row_type: 'config',
      text: `mcp servers: ${compact(servers)}`,
      problem: NOT_AN_OBJECT,
      details: { value: servers },
      source_pointer: pointer,
      ...columns,
    };
    return;
  }
  for (const [name, server] of Object.entries(servers))
    yield { ...serverRow(name, server), source_pointer: step(pointer, name), ...columns };
}

function serverRow(name: string, server: unknown): Draft {
  if (!isObject(server)) {
    return {
      row_type: 'config',
      text: `mcp server: name=${name}: ${compact(server)}`,
      problem: 'the server is not a JSON object',
      details: { value: server },
    };
  }
  const { fields, problem } = typed(ServerSchema, server);
  const unknown = unknownFields(server, KNOWN).map(([key]) => key);
  const command = [fields.command ?? '', ...(fields.args ?? []).map(compact)].join(' ').trim();
  // A server without a type is started as a program: the default of the vendor's enumeration.
  const head = pairs({ name, type: fields.type ?? 'stdio', url: fields.url, timeout: fields.timeout, disabled: fields.disabled });
  return {
    row_type: 'config',
    text: `mcp server:${head}${command === '' ? '' : `: ${command}`}`,
    command,
    problem: problems(problem, unknown.length > 0 && `fields the program does not know: ${names(unknown)}`),
    details: server,
  };
}
