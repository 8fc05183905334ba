import { describe, expect, it } from 'vitest';
import { flowAgentsDelegates } from '../../src/parsers/flow-agents/delegates.js';
import { flowAgentsSidecar } from '../../src/parsers/flow-agents/sidecar.js';
import { flowAgentsTelemetry } from '../../src/parsers/flow-agents/telemetry.js';
import { hookCapture } from '../../src/parsers/hook-capture/capture.js';
import { PARSERS } from '../../src/parsers/index.js';
import type { FileParser } from '../../src/parsers/parser.js';
import { bytesOf, lostLeaves } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const FOLDER = 'real-shaped/flow-agents';
/** Counted by another way than the parser: matches of a pattern in the bytes. */
const FILES: readonly [name: string, parser: FileParser, counted: RegExp, types: Readonly<Record<string, number>>][] = [
  ['telemetry-full.sample.jsonl', flowAgentsTelemetry, /"event_type":/g, { session: 3, prompt: 2, tool_use: 4, permission: 1, usage: 1 }],
  ['telemetry-runtime.sample.jsonl', flowAgentsTelemetry, /"event_type":/g, { session: 1, prompt: 2, tool_result: 1 }],
  ['session-usage-event.json', flowAgentsTelemetry, /"event_type":/g, { usage: 1 }],
  ['delegate-events.sample.jsonl', flowAgentsDelegates, /"agent_id":/g, { delegate: 2 }],
  // The record, its review and each finding.
  ['critique.sample.json', flowAgentsSidecar, /"task_slug":|"id":/g, { session: 8 }],
  // The result and the call it proves.
  ['evidence-capture.conformance.json', hookCapture, /"tool_(?:input|response)":/g, { tool_use: 1, tool_result: 1 }],
];

describe.each(FILES)('%s', (name, parser, counted, types) => {
  const bytes = bytesOf(`${FOLDER}/${name}`);
  const rows = draftsOf(parser, bytes);

  it('is known by its content, to one parser', () => {
    const known = PARSERS.filter((p) => p.detect?.(bytes.subarray(0, 65_536))).map((p) => p.id);
    expect(known).toEqual([parser.id]);
  });

  it('gives no error row, and as many rows as it holds records', () => {
    expect(rows.filter((row) => row.row_type === 'error')).toEqual([]);
    expect(rows).toHaveLength(bytes.toString('utf8').match(counted)?.length ?? 0);
    const found: Record<string, number> = {};
    for (const row of rows) found[row.row_type] = (found[row.row_type] ?? 0) + 1;
    expect(found).toEqual(types);
  });

  it('carries every text and number', () => {
    const text = bytes.toString('utf8');
    const records = name.endsWith('.jsonl') ? text.trim().split('\n') : [text];
    expect(
      lostLeaves(
        records.map((record): unknown => JSON.parse(record)),
        rows,
      ),
    ).toEqual([]);
  });
});

it('a result that timed out says so, and proves no outcome', () => {
  const rows = draftsOf(flowAgentsTelemetry, bytesOf(`${FOLDER}/telemetry-runtime.sample.jsonl`));
  expect(rows[1]).toMatchObject({ command: 'gin bohu', status: 'unknown', outcome: 'ambiguous', exit_code: null });
  expect(rows[1]?.problem).toContain('recorded as timed out');
});
