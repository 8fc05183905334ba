import { describe, expect, it } from 'vitest';
import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import { LOG, line, read, SESSION, texts } from '../support/kiro-v3-log.js';
import { draftsOf, memorySource } from '../support/memory-source.js';

const user = (id: string, second: number, content = id) => line(id, second, { type: 'user', content });
const A = user('a', 1);
const B = user('b', 2);

describe('damaged logs of the v3 engine', () => {
  it('reads on behind a torn line and finds the record glued to it', () => {
    const rows = read(`${A}\n{"id":"x","timest${B}\n${user('c', 3)}\n{"id":"d","ti`);
    expect(rows.map((d) => [d.row_type, d.row_type === 'error' ? '' : d.text, d.source_line, d.recovered ?? ''])).toEqual([
      ['prompt', 'a', 1, ''],
      ['error', '', 2, ''],
      ['prompt', 'b', 2, 'journal'],
      ['prompt', 'c', 3, ''],
      ['error', '', 4, ''],
    ]);
    expect(rows[1]?.text).toMatch(/^parser: unparseable line /);
    expect(rows[1]).toMatchObject({ session_id: SESSION, details: { line: '{"id":"x","timest' } });
    expect(rows[2]?.source_offset).toBe(A.length + 1 + 17);
  });

  it('reads records that lack the line feed between them', () => {
    expect(texts(read(`${A}${B}\n`))).toEqual(['prompt|a', 'prompt|b']);
  });

  it('accepts a byte order mark, CRLF and blank lines', () => {
    const rows = read(`\ufeff${A}\r\n\r\n${B}\r\n`);
    expect(rows.map((d) => [d.text, d.source_line, d.problem])).toEqual([
      ['a', 1, ''],
      ['b', 3, ''],
    ]);
  });

  it('names a block of NUL bytes and finds the record behind it', () => {
    const rows = read(`${A}\n${'\0'.repeat(64)}${B}\n${'\0'.repeat(8)}`);
    expect(texts(rows)).toEqual([
      'prompt|a',
      'error|parser: unparseable line (a block of 64 NUL bytes)',
      'prompt|b',
      'error|parser: unparseable line (a block of 8 NUL bytes)',
    ]);
  });

  it('keeps a lone surrogate and says what is not UTF-8', () => {
    expect(read(`{"id":"a","timestamp":"2026-09-14T05:47:13.504Z","payload":{"type":"user","content":"\\ud83d"}}`)[0]?.text).toBe('\ud83d');
    const bytes = Buffer.from(`${user('a', 1, '?')}\n`);
    bytes[bytes.lastIndexOf('?')] = 0xff;
    const rows = read(bytes);
    expect(rows.at(-1)).toMatchObject({ row_type: 'prompt', text: '\ufffd' });
    expect(rows.at(-1)?.problem).toContain('not valid UTF-8');
  });

  it('keeps a line that was written twice, and says so', () => {
    const rows = read(`${A}\n${A}\n`);
    expect(rows.map((d) => [d.text, d.source_line, d.problem])).toEqual([
      ['a', 1, ''],
      ['a', 2, 'the same record id as on line 1'],
    ]);
  });

  it.each(['[]', '5', '"x"', 'null', '{}', '{"id":"a","timestamp":"t"}', '{"payload":{"kind":"user"}}'])(
    'keeps what is no record: %s',
    (json) => {
      const rows = read(`${json}\n${A}\n`);
      expect(rows.map((d) => d.row_type)).toEqual(['error', 'prompt']);
      expect([rows[0]?.details?.line, rows[0]?.details?.value]).toContainEqual(json.startsWith('{') ? JSON.parse(json) : json);
    },
  );

  it('keeps records without id or time, and members it does not know', () => {
    const rows = read(
      [
        '{"payload":{"type":"user","content":"x"}}',
        '{"id":7,"timestamp":"2026-09-14 05:47","payload":{"type":"user","content":"y"},"extra":{"a":1}}',
      ].join('\n'),
    );
    expect(rows.map((d) => [d.time, d.identity, d.problem])).toEqual([
      [undefined, undefined, 'no time is recorded; the record has no id'],
      [undefined, undefined, 'the recorded time is not a date; the record has no id'],
    ]);
    expect(rows[1]?.details).toEqual({ type: 'user', record: { extra: { a: 1 }, id: 7 }, timestamp: '2026-09-14 05:47' });
  });

  it('names a line too long to be held', () => {
    const source = memorySource(`${A}\n${user('b', 2, 'x'.repeat(500))}\n`, { file: LOG }, 200);
    expect([...kiroV3Messages.parse(source, new Map())].map((d) => d.row_type)).toEqual(['prompt', 'error']);
  });

  it('reads a log whose metadata is missing, cut off or no object', () => {
    for (const metadata of [undefined, '{"id":', '[]', '{"workspacePaths":5}']) {
      const beside = metadata === undefined ? {} : { 'session.json': metadata };
      expect(draftsOf(kiroV3Messages, A, { file: LOG }, beside).map((d) => [d.text, d.session_id, d.project_path])).toEqual([
        ['a', SESSION, ''],
      ]);
    }
  });
});
