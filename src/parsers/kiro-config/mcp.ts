import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { readObject, unknownFields } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { kiroServerRows } from './mcp-servers.js';
import { configPlace } from './place.js';

// .kiro/settings/mcp.json of Kiro, for the user and for a project, and mcp.json of an installed power (a package of servers).
// It proves which programs and services could be connected, with arguments and environment, and which of their tools were meant
// to run without a question. It cannot show that a server was started: engine log and sessions do. It holds no time: rows carry
// the file time. Values of `env`, `headers`, `args` and `url` are often credentials.
// Versions: all. Evidence: L4; form and ancestor aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/tools/custom_tool.rs.

const KNOWN = new Set(['mcpServers']);

export const kiroMcp: FileParser = { id: 'kiro-mcp', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { columns } = configPlace(source.artifact);
  for (const row of rowsOf(source)) yield { ...row, ...columns };
}

function* rowsOf(source: FileSource): Generator<Draft> {
  const { file } = source.artifact;
  const { columns } = configPlace(source.artifact);
  const config = yield* readObject(source, 'MCP configuration');
  if (!config) return;
  yield* kiroServerRows(config.mcpServers, '/mcpServers', { file, verdict: '', columns });
  for (const [key, value] of unknownFields(config, KNOWN)) {
    yield {
      row_type: 'config',
      text: `mcp configuration field: ${key}=${JSON.stringify(value)}`,
      problem: 'a field that is not documented',
      details: { value },
      source_pointer: step('', key),
    };
  }
}
