import { compact, isObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { problems } from '../json-store.js';
import { mcpServerRows } from '../mcp-server.js';
import { type GrantContext, settingRow } from '../q-standing-grant.js';

// MCP servers as Kiro writes them: the form of Amazon Q, with tools that are allowed or switched off by name.

const MORE = new Set(['autoApprove', 'disabledTools']);
// L4, no primary source at hand: from IDE 1.0 on, and in the v3 engine, policy decides. The list still shows what its owner meant.
const IGNORED_BY_V3 = 'v3 engine and IDE 1.0 ignore this list: policy decides there';

/** One row per server, and one per tool of its `autoApprove`. */
export function* kiroServerRows(servers: unknown, pointer: string, context: GrantContext): Generator<Draft> {
  yield* mcpServerRows(servers, pointer, context.columns, MORE);
  if (!isObject(servers)) return;
  for (const [name, server] of Object.entries(servers)) {
    const approved = isObject(server) ? server.autoApprove : undefined;
    if (approved === undefined || approved === null) continue;
    const at = step(step(pointer, name), 'autoApprove');
    const list: readonly unknown[] = Array.isArray(approved) ? approved : [approved];
    for (const [i, tool] of list.entries()) {
      const sound = Array.isArray(approved) && typeof tool === 'string';
      yield {
        ...settingRow(`mcpServers.${name}.autoApprove=${compact(tool)}`, Array.isArray(approved) ? step(at, i) : at, context),
        tool_name: typeof tool === 'string' && tool !== '*' ? tool : '',
        decision: sound ? 'granted' : 'unknown',
        problem: problems(sound ? IGNORED_BY_V3 : 'not a text in a list: no effect', context.verdict),
        details: { server: name, value: tool },
      };
    }
  }
}
