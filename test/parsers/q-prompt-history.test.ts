import { describe, expect, it } from 'vitest';
import { qPromptHistory } from '../../src/parsers/q-prompt-history.js';
import { draftsOf, memorySource } from '../support/memory-source.js';

const read = (content: string | Uint8Array) => draftsOf(qPromptHistory, content);

describe('q-prompt-history', () => {
  it('decodes the escapes of a file with a header', () => {
    expect(read('#V2\nlist the groups\n/clear\nnow fix\\nthe two\\\\three rules\n')).toEqual([
      prompt('list the groups', { source_line: 2, source_offset: 4 }),
      prompt('/clear', { source_line: 3, source_offset: 20 }),
      prompt('now fix\nthe two\\three rules', { source_line: 4, source_offset: 27 }),
    ]);
  });

  it('takes every line of a file without a header as written, also the first', () => {
    expect(read('one\\ntwo\n#V2\nthree\n').map((d) => d.text)).toEqual(['one\\ntwo', '#V2', 'three']);
  });

  it.each([
    ['C:\\temp\\x', 'C:\\temp\\x'],
    ['ends with slash\\', 'ends with slash\\'],
    ['first\\nthen\\q', 'first\\nthen\\q'],
  ])('keeps a line with an escape the writer never makes: %s', (written, text) => {
    const [row] = read(`#V2\n${written}\n`);
    expect(row?.text).toBe(text);
    expect(row?.problem).toBe('an escape the program does not write: the line is kept as stored');
  });

  it('names a line that is not UTF-8, shows its bytes, and goes on', () => {
    const rows = read(Buffer.concat([Buffer.from('#V2\nr'), Buffer.from([0xe9]), Buffer.from('sum\nnext\n')]));
    expect(rows.map((d) => [d.row_type, d.text, d.source_line])).toEqual([
      ['error', 'parser: unparseable line (not valid UTF-8): r\\xe9sum', 2],
      ['prompt', 'next', 3],
    ]);
    expect(rows[0]?.details).toEqual({ line: 'r\\xe9sum' });
  });

  it('skips empty lines, removes the return of CR LF, keeps leading white space and repetitions', () => {
    expect(read('#V2\r\n\r\n  a\r\n\nb\nb\n').map((d) => [d.text, d.source_line])).toEqual([
      ['  a', 3],
      ['b', 5],
      ['b', 6],
    ]);
  });

  it('puts the command of a shell escape into its column', () => {
    expect(read('#V2\n! ls -l\n').map((d) => [d.text, d.command])).toEqual([['! ls -l', 'ls -l']]);
  });

  it('says that a last line without line feed may be cut off', () => {
    expect(read('#V2\nrm -r').map((d) => [d.text, d.problem])).toEqual([['rm -r', 'the last line has no line feed: it may be cut off']]);
  });

  it('gives nothing for an empty file or a header alone, which may follow a byte order mark', () => {
    expect(read('')).toEqual([]);
    expect(read('#V2\n')).toEqual([]);
    expect(read('\ufeff#V2\na\\nb\n').map((d) => d.text)).toEqual(['a\nb']);
  });

  it('keeps a huge line whole', () => {
    const huge = 'x\\n'.repeat(1_000_000);
    expect(read(`#V2\n${huge}\n`)[0]?.text).toHaveLength(2_000_000);
  });

  it('names a line too long to be read, and goes on', () => {
    const rows = [...qPromptHistory.parse(memorySource(`#V2\n${'z'.repeat(200)}\nnext\n`, {}, 100), new Map())];
    expect(rows.map((d) => [d.row_type, d.text])).toEqual([
      ['error', 'parser: unparseable line (200 bytes, too long to be read): zzzzzzzzzzzzzzzz'],
      ['prompt', 'next'],
    ]);
  });
});

function prompt(text: string, place: { source_line: number; source_offset: number }) {
  return { row_type: 'prompt', text, origin: 'typed', command: '', problem: '', rank: 3, textKey: text, textOnly: true, ...place };
}
