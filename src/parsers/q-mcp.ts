import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { readObject, storeColumns, unknownFields } from './json-store.js';
import { mcpServerRows } from './mcp-server.js';
import type { FileParser } from './parser.js';

// mcp.json of Amazon Q Developer CLI: MCP servers outside agent files, for the user and for a project.
// It proves which programs and services could be connected, with which arguments and environment. It cannot show
// that a server was ever started or called: conversations and mcp.log do. Agents use this file only with
// `useLegacyMcpJson`. It holds no time, so rows carry the file time.
// Values of `env`, `headers`, `args` and `url` are often credentials.
// Versions: up to 1.12 the only place, since 1.13 a legacy file. Evidence: L1,
// aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/mcp_config.rs, src/cli/chat/tools/custom_tool.rs.

const KNOWN = new Set(['mcpServers']);

export const qMcp: FileParser = { id: 'q-mcp', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const columns = storeColumns(source.artifact);
  const config = yield* readObject(source, 'MCP configuration');
  if (!config) return;
  yield* mcpServerRows(config.mcpServers, '/mcpServers', columns);
  for (const [key, value] of unknownFields(config, KNOWN)) {
    yield {
      row_type: 'config',
      text: `mcp configuration field: ${key}=${JSON.stringify(value)}`,
      problem: 'a field the program does not know',
      details: { value },
      source_pointer: step('', key),
      ...columns,
    };
  }
}
