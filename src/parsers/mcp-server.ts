import { z } from 'zod';
import { compact, isObject, type JsonObject } from '../evidence/json.js';
import type { CredentialPlace, Draft } from '../rows/draft.js';
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

/** One row per server of a `mcpServers` object. `more` names fields that a later program added. */
export function* mcpServerRows(
  servers: unknown,
  pointer: string,
  columns: StoreColumns,
  more: ReadonlySet<string> = new Set(),
): Generator<Draft> {
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
    yield { ...serverRow(name, server, more), source_pointer: step(pointer, name), ...columns };
}

function serverRow(name: string, server: unknown, more: ReadonlySet<string>): Draft {
  if (!isObject(server)) {
    return {
      row_type: 'config',
      text: `mcp server: name=${name}: ${compact(server)}`,
      problem: 'the server is not a JSON object',
      details: { value: server },
    };
  }
  const { fields, problem } = typed(ServerSchema, server);
  const unknown = unknownFields(server, KNOWN)
    .map(([key]) => key)
    .filter((key) => !more.has(key));
  const command = [fields.command ?? '', ...(fields.args ?? []).map(compact)].join(' ').trim();
  // A server without a type is started as a program: the default of the vendor's enumeration.
  const head = pairs({ name, type: fields.type ?? 'stdio', url: fields.url, timeout: fields.timeout, disabled: fields.disabled });
  return {
    row_type: 'config',
    text: `mcp server:${head}${command === '' ? '' : `: ${command}`}`,
    command,
    problem: problems(problem, unknown.length > 0 && `fields the program does not know: ${names(unknown)}`),
    details: server,
    credentials: credentialsOf(server),
  };
}

/** Environment and headers hold credentials and other values side by side; the scan tells them apart by name. */
function credentialsOf(server: JsonObject): CredentialPlace[] {
  const places: CredentialPlace[] = [];
  for (const [member, rule] of [
    ['env', 'mcp-env'],
    ['headers', 'mcp-header'],
  ] as const) {
    const map = server[member];
    if (!isObject(map)) continue;
    for (const key of Object.keys(map)) places.push({ column: 'details', pointer: step(`/${member}`, key), rule, key });
  }
  if (isObject(server.oauth)) {
    for (const key of Object.keys(server.oauth)) {
      if (/secret|token/i.test(key)) places.push({ column: 'details', pointer: step('/oauth', key), rule: 'mcp-oauth', key });
    }
  }
  return places;
}
