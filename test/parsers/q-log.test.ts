import { describe, expect, it } from 'vitest';
import { qLog } from '../../src/parsers/q-log.js';
import { draftsOf, memorySource } from '../support/memory-source.js';

const read = (content: string | Uint8Array) => draftsOf(qLog, content);
const FIRST = '2025-05-13T08:27:41.441552Z ERROR q_chat: 949: An error occurred';

describe('q-log', () => {
  it('reads a record with its time in microseconds', () => {
    expect(read(`${FIRST}\n`)).toEqual([
      {
        row_type: 'log',
        text: 'log: level=ERROR target=q_chat line=949: An error occurred',
        time: { ms: Date.parse('2025-05-13T08:27:41.441Z'), ns: 552000, source: 'record', original: '2025-05-13T08:27:41.441552Z' },
        origin: 'automatic',
        problem: '',
        details: { level: 'ERROR', target: 'q_chat', line: 949, lines: 1 },
        source_line: 1,
        source_offset: 0,
      },
    ]);
  });

  it('reads spans and a right-aligned level', () => {
    const [row] = read('2025-05-13T08:27:41.441552Z  INFO chat{id=7: a}:send{n=1}: chat_cli::mcp_client::client: 12: ready: 1: yes\n');
    expect(row?.text).toBe('log: level=INFO target=chat_cli::mcp_client::client line=12 spans=chat{id=7: a}:send{n=1}: ready: 1: yes');
  });

  it('joins the lines of a record and removes colours', () => {
    const coloured =
      '\u001b[2m2025-05-13T08:27:41Z\u001b[0m \u001b[31mERROR\u001b[0m ' +
      '\u001b[2mq_chat\u001b[0m\u001b[2m:\u001b[0m \u001b[2m5:\u001b[0m Debug {';
    const rows = read(`${coloured}\r\n  a: 1,\r\n\r\n}\r\n${FIRST}\n`);
    expect(rows.map((d) => [d.text, d.source_line, d.details?.lines, d.details?.colours_removed])).toEqual([
      ['log: level=ERROR target=q_chat line=5: Debug {\n  a: 1,\n\n}', 1, 4, true],
      ['log: level=ERROR target=q_chat line=949: An error occurred', 5, 1, undefined],
    ]);
  });

  it('names lines ahead of the first record and keeps them', () => {
    const rows = read(`rest of a record\nmore\n${FIRST}`);
    expect(rows.map((d) => [d.row_type, d.text, d.source_line])).toEqual([
      ['error', 'parser: lines ahead of the first log record: rest of a record\\u{a}more', 1],
      ['log', 'log: level=ERROR target=q_chat line=949: An error occurred', 3],
    ]);
    expect(rows[0]?.details).toEqual({ lines: 2, text: 'rest of a record\nmore' });
  });

  it('gives a record over 1 MiB in further rows of the same time', () => {
    const long = 'x'.repeat(600_000);
    const rows = read(`${FIRST}\n${long}\n${long}\n${long}\n`);
    expect(rows.map((d) => [d.text.slice(0, 39), d.source_line, d.time?.ns, d.problem])).toEqual([
      ['log: level=ERROR target=q_chat line=949', 1, 552000, ''],
      [
        `log: level=ERROR continued=1: ${'x'.repeat(9)}`,
        3,
        552000,
        'the record that begins on line 1 is longer than 1 MiB: this is more of it',
      ],
      [
        `log: level=ERROR continued=1: ${'x'.repeat(9)}`,
        4,
        552000,
        'the record that begins on line 1 is longer than 1 MiB: this is more of it',
      ],
    ]);
  });

  it('says what is doubtful: no date, no target, bytes that are not UTF-8', () => {
    const bad = Buffer.concat([Buffer.from(`${FIRST} `), Buffer.from([0xff, 0x0a])]);
    const rows = read(Buffer.concat([Buffer.from('2025-13-99T08:27:41Z  WARN free text\n'), bad]));
    expect(rows.map((d) => [d.text, d.time === undefined, d.problem])).toEqual([
      ['log: level=WARN: free text', true, 'the time of the record is not a date; no target and line number'],
      ['log: level=ERROR target=q_chat line=949: An error occurred \\xff', false, 'not valid UTF-8: each damaged byte is written as \\xNN'],
    ]);
  });

  it('gives nothing for an empty file, an error for something else, and what is there of a cut record', () => {
    expect(read('')).toEqual([]);
    expect(read('["x"]').map((d) => d.text)).toEqual(['parser: lines ahead of the first log record: ["x"]']);
    expect(read(FIRST.slice(0, -3)).map((d) => d.text)).toEqual(['log: level=ERROR target=q_chat line=949: An error occur']);
  });

  it('reads a huge line in one pass', () => {
    expect(read(`${FIRST}${'a: '.repeat(3_000_000)}`)[0]?.text).toHaveLength(58 + 9_000_000);
  });

  it('names a line too long to be read, and goes on', () => {
    const rows = [...qLog.parse(memorySource(`${FIRST}\n${'z'.repeat(200)}\n${FIRST}\n`, {}, 100), new Map())];
    expect(rows.map((d) => [d.row_type, d.text, d.source_line])).toEqual([
      ['log', 'log: level=ERROR target=q_chat line=949: An error occurred', 1],
      ['error', 'parser: log line of 200 bytes is too long to be read: zzzzzzzzzzzzzzzz', 2],
      ['log', 'log: level=ERROR target=q_chat line=949: An error occurred', 3],
    ]);
  });
});
