import { describe, expect, it } from 'vitest';
import { kiroV2Journal } from '../../src/parsers/kiro-v2/journal.js';
import { journalRows, record, shown } from '../support/kiro-v2-session.js';
import { memorySource } from '../support/memory-source.js';

const FIRST = record.prompt('p1', 'first');
const SECOND = record.prompt('p2', 'second', 60);

describe('lines of a journal', () => {
  it('reads CR LF, a byte order mark, blank lines, separators inside a text, and a last line without line feed', () => {
    const rows = journalRows(`\ufeff${record.prompt('p1', 'one\u2028two\u0085three')}\r\n\r\n  \n${SECOND}`);
    expect(rows.map((d) => [d.text, d.source_line])).toEqual([
      ['one\u2028two\u0085three', 1],
      ['second', 4],
    ]);
  });

  it.each([
    ['[]', 'not a JSON object'],
    ['5', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['"x"', 'not a JSON object'],
    ['{"a":', 'invalid JSON (unexpected end)'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested deeper than 128 levels'],
  ])('names %s, keeps it, and reads the next line', (line, why) => {
    const rows = journalRows(`${FIRST}\n${line}\n${SECOND}\n`);
    expect(rows.map((d) => [d.row_type, d.source_line])).toEqual([
      ['prompt', 1],
      ['error', 2],
      ['prompt', 3],
    ]);
    expect(rows[1]).toMatchObject({ problem: `unparseable line (${why})`, source_offset: FIRST.length + 1, details: { line } });
    expect(rows[1]?.text.startsWith(`parser: unparseable line (${why}): `)).toBe(true);
  });

  it('reads a whole record behind a torn one on the same line, and marks it as recovered', () => {
    const rows = journalRows(`${FIRST.slice(0, 60)}${SECOND}\n${FIRST}\n`);
    expect(rows.map((d) => [d.row_type, d.source_line, d.source_offset, d.recovered, d.confidence, d.problem])).toEqual([
      ['error', 1, 0, undefined, undefined, 'unparseable line (invalid JSON (unexpected token))'],
      ['prompt', 1, 60, 'journal', 'probable', 'behind a damaged record on the same line'],
      ['prompt', 2, 60 + SECOND.length + 1, undefined, undefined, ''],
    ]);
    expect(rows[0]?.details).toEqual({ line: FIRST.slice(0, 60) });
  });

  it('reads two whole records on one line as live, with a note', () => {
    const rows = journalRows(`${FIRST}${SECOND}\n`);
    expect(rows.map((d) => [d.text, d.source_offset, d.recovered, d.problem])).toEqual([
      ['first', 0, undefined, 'further records stand on the same line: a line feed is missing'],
      ['second', FIRST.length, undefined, 'further records stand on the same line: a line feed is missing'],
    ]);
  });

  it('does not split a record that holds another one in its results', () => {
    const nested = record.results('r1', [
      { kind: 'toolResult', data: { toolUseId: 't', content: [{ kind: 'json', data: JSON.parse(SECOND) }], status: 'success' } },
    ]);
    expect(shown(journalRows(`${FIRST.slice(0, 50)}${nested}\n`)).slice(1)).toEqual([`tool_result|${SECOND}`]);
    expect(shown(journalRows(`${nested}\n`))).toEqual([`tool_result|${SECOND}`]);
  });

  it('names a block of NUL bytes and reads the record behind it', () => {
    const rows = journalRows(`${'\0'.repeat(4096)}${FIRST}\n${'\0'.repeat(10)}\n${SECOND}\n`);
    expect(shown(rows)).toEqual([
      'error|parser: unparseable line (a block of 4096 NUL bytes)',
      'prompt|first',
      'error|parser: unparseable line (a block of 10 NUL bytes)',
      'prompt|second',
    ]);
  });

  it('names a line that is not UTF-8, and recovers what it says', () => {
    const [head = '', tail = ''] = FIRST.split('first');
    const rows = journalRows(Buffer.concat([Buffer.from(`${head}r`), Buffer.from([0xe9]), Buffer.from(`sum${tail}\n${SECOND}\n`)]));
    expect(rows.map((d) => [d.row_type, d.recovered, d.confidence])).toEqual([
      ['error', undefined, undefined],
      ['prompt', 'journal', 'partial'],
      ['prompt', undefined, undefined],
    ]);
    expect(rows[0]?.details).toEqual({ line: `${head}r\\xe9sum${tail}` });
    expect(rows[1]?.text).toBe('r\ufffdsum');
  });

  it('keeps a number too large for JSON as a text', () => {
    const [row] = journalRows(['{"version":"v1","kind":"X","__proto__":1e999}']);
    expect(JSON.stringify(row?.details)).toBe('{"raw":{"version":"v1","kind":"X","__proto__":"Infinity"}}');
  });

  it('keeps lone surrogates', () => {
    expect(journalRows([FIRST.replace('first', 'a\\ud83d')])[0]?.text).toBe('a\ud83d');
  });

  it('reads a line of 5 MB, and names one too long to be read', () => {
    expect(journalRows([record.prompt('p1', 'x'.repeat(5_000_000))])[0]?.text).toHaveLength(5_000_000);
    const rows = [...kiroV2Journal.parse(memorySource(`${'z'.repeat(2000)}\n${SECOND}\n`, {}, 1000), new Map())];
    expect(shown(rows)).toEqual(['error|parser: unparseable line (2000 bytes, too long to be read): zzzzzzzzzzzzzzzz', 'prompt|second']);
  });

  it('gives nothing for an empty file', () => {
    expect(journalRows('')).toEqual([]);
  });
});
