import { describe, expect, it } from 'vitest';
import { hookCapture } from '../../src/parsers/hook-capture/capture.js';
import { brief, lines } from '../support/hook-rows.js';
import { draftsOf, memorySource } from '../support/memory-source.js';

const A = { hook_event_name: 'Stop', session_id: 'sess_a', cwd: '/p' };
const B = { hook_event_name: 'SessionStart', session_id: 'sess_b', cwd: '/p' };
const STOP = ['session', 'session: stop event=Stop'];
const START = ['session', 'session: start event=SessionStart'];
const rowsOf = (content: string | Uint8Array) => draftsOf(hookCapture, content);

describe('files of hook payloads', () => {
  it.each([
    ['one object per line', lines(A, B)],
    ['CRLF and a byte order mark', `\ufeff${JSON.stringify(A)}\r\n${JSON.stringify(B)}\r\n`],
    ['pretty-printed objects', `${JSON.stringify(A, null, 2)}\n${JSON.stringify(B, null, 2)}\n`],
    ['a JSON array', JSON.stringify([A, B], null, 1)],
    ['an array whose end is missing', `[\n${JSON.stringify(A)},\n${JSON.stringify(B)},\n`],
    ['objects without a line feed between', JSON.stringify(A) + JSON.stringify(B)],
    ['log lines with a prefix', `[hook] ${JSON.stringify(A)}\n[hook] ${JSON.stringify(B)}`],
    ['payloads as texts', lines({ stdin: JSON.stringify(A) }, { input: JSON.stringify(B) })],
    ['one object by kind', JSON.stringify({ stop: A, start: B })],
  ])('reads %s', (_, content) => {
    expect(brief(rowsOf(content))).toEqual([STOP, START]);
    expect(new Set(rowsOf(content).map((row) => `${row.source_offset} ${row.source_pointer}`)).size).toBe(2);
  });

  it('finds each object at its place', () => {
    const content = `x é ${JSON.stringify(A)} ${JSON.stringify(B)}\n`;
    for (const row of rowsOf(content)) {
      const at = Buffer.from(content).subarray(row.source_offset ?? 0);
      expect(at.toString().startsWith(`{"hook_event_name":"${row.details?.event}"`)).toBe(true);
    }
  });

  it('loses a half-written record only, also when the next one stands behind it', () => {
    const torn = JSON.stringify({ ...A, tool_input: { command: 'ls' } }).slice(0, -4);
    expect(brief(rowsOf(`${torn}${JSON.stringify(B)}\n${JSON.stringify(A)}`), 'recovered', 'confidence')).toEqual([
      ['error', expect.stringContaining('unparseable line (invalid JSON)'), undefined, undefined],
      [...START, 'journal', 'probable'],
      [...STOP, undefined, undefined],
    ]);
    const cut = rowsOf(lines(A, torn));
    expect(cut.map((row) => row.row_type)).toEqual(['session', 'error']);
    expect(cut[1]?.details?.line).toBe(torn);
  });

  it('says that a line is not UTF-8 and reads it all the same', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"hook_event_name":"userPromptSubmit","prompt":"a'),
      Buffer.from([0xff]),
      Buffer.from('"}\n'),
    ]);
    expect(brief(rowsOf(bytes), 'confidence')).toEqual([
      ['error', expect.stringMatching(/^parser: unparseable line \(not valid UTF-8\): .*a\\xff/), undefined],
      ['prompt', 'a\ufffd', 'partial'],
    ]);
  });

  it('keeps lines of a probe: environment, headers with a time; and names what is no payload', () => {
    const content = lines('HOME=/home/alice', '=== 2026-10-01T09:00:00Z ===', 'USER_PROMPT={"toolName":"fs_write"}', '{"a":1}', 'what');
    expect(brief(rowsOf(content)).slice(0, 5)).toEqual([
      ['log', 'log: environment: HOME=/home/alice'],
      ['log', 'log: === 2026-10-01T09:00:00Z ==='],
      ['tool_use', ''],
      ['error', 'parser: hook capture: the object is no hook payload: {"a":1}'],
      ['error', 'parser: unparseable line (no JSON object): what'],
    ]);
  });

  it('reads a long line of brackets or of broken records in a time that grows with its length', () => {
    for (const part of ['{', '{x}', '{"', '{"a":', '[{"', '}{']) {
      const rows = rowsOf(`${part.repeat(50_000)}\n${JSON.stringify(A)}`);
      expect(brief(rows).at(-1), part).toEqual(STOP);
    }
  });

  it('gives no row for an empty file, and a row for a line too long to be read', () => {
    expect(rowsOf('')).toEqual([]);
    expect(rowsOf('\n \n')).toEqual([]);
    const source = memorySource(lines(A, JSON.stringify({ ...B, prompt: 'x'.repeat(200) }), A), {}, 120);
    expect([...hookCapture.parse(source, new Map())].map((row) => row.row_type)).toEqual(['session', 'error', 'session']);
  });

  it('cuts a nesting too deep to be written again', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const [row] = rowsOf(`{"hook_event_name":"Stop","x":${deep}}`);
    expect(row?.problem).toBe('1 values nested too deeply are left out');
    expect(() => JSON.stringify(row)).not.toThrow();
  });

  it('is known by its content, and other files are not taken for one', () => {
    const known = (content: string) => hookCapture.detect?.(Buffer.from(content));
    for (const good of [
      lines(A, B),
      JSON.stringify(A, null, 2),
      JSON.stringify({ one: A }, null, 2),
      lines({ ts: 1, payload: A }),
      lines({ ts: 1, stdin: JSON.stringify(A) }),
      lines({ env: { USER_PROMPT: '{"toolName":"x"}' } }),
      lines({ toolName: 'x', toolResult: 'y' }),
      JSON.stringify({ ...A, x: 'y'.repeat(100_000) }).slice(0, 65_536),
    ])
      expect(known(good), good.slice(0, 80)).toBe(true);
    for (const bad of [
      '{}',
      '{"hooks":{"PreToolUse":[]}}',
      '{"properties":{"hook_event_name":{"type":"string"}}}',
      '{"event_type":"tool.invoke","schema_version":"0.3.0","hook":{"raw_input":{"hook_event_name":"PreToolUse"}}}',
      '{"conversation_id":"x","history":[{"hook_event_name":"Stop"}]}',
      '{"text":"{\\"hook_event_name\\": 1}"}',
      '{"event":"click","toolName":1}',
    ])
      expect(known(bad), bad).toBe(false);
  });
});
