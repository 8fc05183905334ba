import { describe, expect, it } from 'vitest';
import { encodingOf } from '../../src/pipeline/encoding.js';
import type { Row } from '../../src/rows/row.js';
import { makeRow } from '../support/cli.js';

const FILE_TIME = Date.UTC(2025, 10, 20, 10);
const encoding = () => encodingOf({ format: 'ecs', csv: { raw: false, bom: false }, collected: Date.UTC(2026, 0, 2) });
const lineOf = (values: Partial<Row>, fileTime: number | undefined = FILE_TIME) => encoding().line(makeRow(values), fileTime);
const documentOf = (values: Partial<Row>): Record<string, unknown> =>
  JSON.parse(lineOf({ timestamp_utc: '2025-11-14T08:12:44.481Z', ...values }));

describe('an ECS document', () => {
  it('holds the whole row, and what the schema has a name for', () => {
    const row = makeRow({
      timestamp_utc: '2025-11-14T08:12:44.481Z',
      row_type: 'tool_use',
      host: 'h',
      user: 'mira',
      agent: 'kiro-cli',
      session_id: 's',
      project_path: '/w',
      model: 'm',
      tool_name: 'execute_bash',
      tool_use_id: 't1',
      text: '{"command":"ls"}',
      command: 'ls',
      exit_code: 0,
      duration_ms: 12,
      outcome: 'pass',
      file_paths: ['/a'],
      source_file: 'f',
      source_sha256: 'abc',
      row_id: 'r1',
      problem: 'p',
      details: { a: { b: 1 } },
    });
    expect(JSON.parse(encoding().line(row, FILE_TIME))).toEqual({
      kirotrail: row,
      '@timestamp': '2025-11-14T08:12:44.481Z',
      message: '{"command":"ls"}',
      tags: [],
      ecs: { version: '9.5.0-dev' },
      event: {
        kind: 'event',
        module: 'kirotrail',
        dataset: 'kirotrail.tool_use',
        action: 'tool_use',
        id: 'r1',
        category: ['process'],
        type: ['start'],
        outcome: 'success',
        duration: 12_000_000,
        reason: 'p',
      },
      labels: { agent: 'kiro-cli', session_id: 's', project_path: '/w' },
      host: { name: 'h' },
      user: { name: 'mira' },
      gen_ai: {
        operation: { name: 'execute_tool' },
        response: { model: 'm' },
        tool: { name: 'execute_bash', call: { id: 't1', arguments: { command: 'ls' } } },
      },
      process: { command_line: 'ls', working_directory: '/w', exit_code: 0 },
      file: { path: ['/a'] },
      log: { file: { path: 'f' } },
      related: { hash: ['abc'], user: ['mira'], hosts: ['h'] },
    });
  });

  it('tells prompts and answers as messages, and decisions as allowed or denied', () => {
    expect(documentOf({ text: 'why?', model: 'm' }).gen_ai).toEqual({
      operation: { name: 'chat' },
      request: { model: 'm' },
      input: { messages: [{ role: 'user', parts: [{ type: 'text', content: 'why?' }] }] },
    });
    expect(documentOf({ row_type: 'assistant', text: 'so' }).gen_ai).toMatchObject({
      output: { messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'so' }] }] },
    });
    const denied = documentOf({ row_type: 'permission', decision: 'denied' });
    expect(denied).toMatchObject({ event: { type: ['denied'], outcome: 'failure' }, tags: ['denied'] });
    expect(documentOf({ row_type: 'permission', decision: 'approved' }).event).toMatchObject({ type: ['allowed'], outcome: 'success' });
    // Nothing is allowed that no store says so of.
    expect(documentOf({ row_type: 'permission', decision: 'unknown' }).event).not.toHaveProperty('outcome');
    expect(documentOf({ row_type: 'tool_result', text: 'x' }).event).not.toHaveProperty('outcome');
  });

  it('dates an undated row by its file, tags and counts it', () => {
    const { line, counts } = encoding();
    expect(JSON.parse(line(makeRow({ text: 'x' }), FILE_TIME))).toMatchObject({
      '@timestamp': '2025-11-20T10:00:00.000Z',
      tags: ['undated'],
      kirotrail: { timestamp_utc: '' },
    });
    expect(JSON.parse(line(makeRow({ text: 'x' }), undefined))['@timestamp']).toBe('2026-01-02T00:00:00.000Z');
    expect(encoding().counts()).toEqual({ stand_in_times: 0 });
    expect(counts()).toEqual({ stand_in_times: 2 });
  });

  it.each([
    ['a name with a dot', '{"a.b":1}'],
    ['an empty name', '{"":1}'],
    ['no object', '[1]'],
    ['no JSON', '{"a":'],
    ['too deep', `${'{"a":'.repeat(12)}1${'}'.repeat(12)}`],
    ['too long', JSON.stringify({ a: 'x'.repeat(20_000) })],
  ])('leaves arguments that an index would refuse to the row: %s', (_, text) => {
    const document = documentOf({ row_type: 'tool_use', tool_use_id: 't', text });
    expect(document.gen_ai).toEqual({ operation: { name: 'execute_tool' }, tool: { call: { id: 't' } } });
    expect(document.message).toBe(text);
  });

  it('gets the id of its primary row in its own column, whatever the evidence imitates', () => {
    const imitation = '{"a":1,"duplicate_of":"","b":2}';
    const line = lineOf({ row_type: 'tool_use', text: imitation, details: { duplicate_of: '' }, session_id: ',"duplicate_of":"' });
    const place = encoding().duplicatePlace(Buffer.from(line));
    const patched = Buffer.from(line).toString().slice(0, place) + 'PRIMARY' + line.slice(place);
    expect(JSON.parse(patched)).toMatchObject({
      kirotrail: { duplicate_of: 'PRIMARY', details: { duplicate_of: '' } },
      gen_ai: { tool: { call: { arguments: { duplicate_of: '' } } } },
    });
  });
});
