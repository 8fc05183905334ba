import { expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.js';
import { indexPlaces } from '../../src/collect/place.js';

// Places that the format pages of Kiro name and that are easily forgotten: beside the stores of conversations, or in odd names.

const places = indexPlaces(loadCatalog());
const storeOf = (path: string) => places.claim(`home/alice/${path}`.toLowerCase().split('/'))?.store.id;

it.each([
  ['q-sqlite', '.kiro/data.sqlite3'],
  ['q-sqlite', 'AppData/Roaming/Kiro-Cli/data.sqlite3'],
  ['kiro-v2-tasks', '.kiro/sessions/cli/7d0e1c52-1111-4222-8333-444444444444/tasks/a/b.json'],
  ['kiro-v2-session', '.kiro/sessions/cli/7d0e1c52-1111-4222-8333-444444444444.json.tmp'],
  ['kiro-v2-lock', '.kiro/sessions/32cfb46d463b7613/sess_a/.lock'],
  ['kiro-v3-cursor', '.kiro/sessions/32cfb46d463b7613/sess_a/publish-sub.cursor'],
  ['kiro-v3-workflow', '.kiro/sessions/32cfb46d463b7613/workflows/generated/ship.json'],
  ['kiro-trust', '.kiro/.trust-migration.json'],
  ['kiro-permissions', '.kiro/workspace-roots/32cfb46d463b7613/permissions.json'],
  ['kiro-other-settings', '.kiro/session-index/.migration-v3'],
  ['kiro-other-settings', 'shop/.kiro/workflows/ship.json'],
  ['kiro-mcp', '.kiro/powers/installed/p/mcp.json'],
  ['kiro-hooks', 'shop/.kiro/hooks/format.kiro.hook'],
  ['kiro-debug', 'shop/.kiro/debug/execution-log.json'],
  ['kiro-ide-state', '.config/Kiro/User/workspaceStorage/0123456789abcdef0123456789abcdef/state.vscdb'],
  ['kiro-ide-log', '.config/Kiro/logs/20260101T000000/window1/exthost/output_logging_1/2-Q Chat API.log'],
  ['flow-agents-console', '.flow-agents/telemetry-console.conf'],
  ['flow-agents-telemetry', '.flow-agents/x/.kontourai/telemetry/full.jsonl.1'],
  ['ai-dlc-audit', 'shop/aidlc-docs/audit.md'],
])('%s lies in %s', (store, path) => {
  expect(storeOf(path)).toBe(store);
});
