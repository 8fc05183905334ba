import { describe, expect, it } from 'vitest';
import { qShellHistory } from '../../src/parsers/q-shell-history.js';
import { draftsOf, memorySource } from '../support/memory-source.js';

const read = (content: string | Uint8Array) => draftsOf(qShellHistory, content);
const entry = (command: string, exit: number, time: number | string) =>
  `\n- command: ${command}\n  exit_code: ${exit}\n  shell: zsh\n  session_id: 1b2c\n  cwd: /home/alice\n  time: ${time}`;

describe('q-shell-history', () => {
  it('reads entries as the program writes them', () => {
    const rows = read(entry('git status', 0, 1727000000) + entry('echo \\"a\\\\b\\"\\n\\tx', 2, 1727000001));
    expect(rows[0]).toEqual({
      row_type: 'shell',
      text: 'git status',
      command: 'git status',
      time: { ms: 1727000000000, ns: 0, source: 'record', original: '1727000000' },
      newRun: true,
      origin: 'typed',
      session_id: '1b2c',
      project_path: '/home/alice',
      exit_code: 0,
      outcome: 'ambiguous',
      problem: '',
      details: { shell: 'zsh' },
      identity: 'shell:1727000000:1b2c',
      rank: 1,
      source_line: 2,
      source_offset: 1,
    });
    expect([rows[1]?.text, rows[1]?.exit_code, rows[1]?.outcome, rows[1]?.source_line]).toEqual(['echo "a\\b"\n\tx', 2, 'fail', 8]);
  });

  it.each(['0', '', '1727', '99999999999', '-5', '1.5'])('takes no time from %s', (time) => {
    const [row] = read(entry('ls', 0, time));
    expect([row?.time, row?.identity]).toEqual([undefined, undefined]);
    expect(row?.problem).toMatch(/time/);
  });

  it('names lines that belong to no entry or are not UTF-8, and goes on', () => {
    const bytes = Buffer.concat([
      Buffer.from('  cwd: /x\nnoise\n- command: a'),
      Buffer.from([0xff]),
      Buffer.from('\n- command: b\r\n  cwd: /y\r\n  host: h\n  cwd: /z\n'),
    ]);
    const rows = read(bytes);
    expect(rows.map((d) => [d.row_type, d.text, d.source_line])).toEqual([
      ['error', 'parser: line that belongs to no shell history entry:   cwd: /x', 1],
      ['error', 'parser: line that belongs to no shell history entry: noise', 2],
      ['error', 'parser: unparseable line (not valid UTF-8): - command: a\\xff', 3],
      ['error', 'parser: line that belongs to no shell history entry:   cwd: /z', 7],
      ['shell', 'b', 4],
    ]);
    expect([rows[4]?.project_path, rows[4]?.details, rows[4]?.problem]).toEqual([
      '/y',
      { host: 'h' },
      'no start time is recorded; a line of the entry could not be read',
    ]);
  });

  it('keeps a value with an escape the program does not write', () => {
    const [row] = read(entry('C:\\x\\n', 1, 1727000000));
    expect([row?.text, row?.problem]).toEqual(['C:\\x\\n', 'an escape the program does not write: the value is kept as stored']);
  });

  it('gives nothing for an empty file, and what is there of a cut entry', () => {
    expect(read('')).toEqual([]);
    expect(read('["x"]').map((d) => d.row_type)).toEqual(['error']);
    expect(read('"x"').map((d) => d.row_type)).toEqual(['error']);
    const cut = read(entry('ls', 0, 1727000000).slice(0, -2));
    expect(cut.map((d) => [d.text, d.time, d.problem, d.details])).toEqual([
      ['ls', undefined, 'the time is not one in Unix seconds', { shell: 'zsh', time: '17270000' }],
    ]);
  });

  it('keeps a huge command whole', () => {
    expect(read(entry('\\\\'.repeat(1_000_000), 1, 1727000000))[0]?.text).toHaveLength(1_000_000);
  });

  it('names a line too long to be read, and goes on', () => {
    const rows = [...qShellHistory.parse(memorySource(`- command: ${'z'.repeat(200)}\n- command: ls\n`, {}, 100), new Map())];
    expect(rows.map((d) => [d.row_type, d.text])).toEqual([
      ['error', 'parser: line of 211 bytes is too long to be read: - command: zzzzz'],
      ['shell', 'ls'],
    ]);
  });
});
