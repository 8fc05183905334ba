import { describe, expect, it } from 'vitest';
import { encodingOf } from '../../src/pipeline/encoding.js';
import type { Row } from '../../src/rows/row.js';
import { COLUMNS } from '../../src/rows/row.js';
import { makeRow } from '../support/cli.js';

const COLLECTED = Date.UTC(2026, 0, 2, 3, 4, 5);
const FILE_TIME = Date.UTC(2025, 10, 20, 10, 0, 0, 7);
const encoding = () => encodingOf({ format: 'timesketch', csv: { raw: false, bom: false }, collected: COLLECTED });

function eventOf(values: Partial<Row>, fileTime: number | undefined = FILE_TIME): Record<string, unknown> {
  return JSON.parse(encoding().line(makeRow(values), fileTime));
}

const at = (timestamp_utc: string, values: Partial<Row> = {}) => eventOf({ timestamp_utc, timestamp_source: 'message', ...values });

describe('an event for Timesketch', () => {
  it('begins with what the importer asks for and holds every column of its row', () => {
    const event = at('2025-11-14T08:12:44.481Z', { agent: 'kiro-cli', host: 'h', user: 'mira', text: 'why?', details: { a: [1] } });
    expect(Object.keys(event).slice(0, 8)).toEqual(
      ['message', 'datetime', 'timestamp', 'timestamp_desc', 'data_type', 'tag', 'hostname', 'username'], // ahead of the columns
    );
    expect(event).toMatchObject({
      message: 'why?',
      datetime: '2025-11-14T08:12:44.481Z',
      timestamp: 1763107964481000,
      timestamp_desc: 'Sent Time',
      data_type: 'kiro:cli:prompt',
      tag: [],
      hostname: 'h',
      username: 'mira',
      text: 'why?',
      details: '{"a":[1]}',
      secrets: '[]',
      timesketch_notes: '',
    });
    for (const column of COLUMNS) expect(Object.keys(event)).toContain(column);
  });

  it.each<[Row['row_type'], Row['timestamp_source'], string]>([
    ['prompt', 'message', 'Sent Time'],
    ['prompt', 'record', 'Sent Time'],
    ['prompt', 'file_mtime', 'Content Modification Time'],
    ['assistant', 'stream_end', 'Response Sent Time'],
    ['tool_use', 'stream_end', 'Response Sent Time'],
    ['tool_result', 'message', 'Recorded Time'],
    ['tool_result', 'request_start', 'Request Received Time'],
    ['permission', 'file_mtime', 'Content Modification Time'],
    ['config', 'file_mtime', 'Content Modification Time'],
    ['delegate', 'launched_at', 'Start Time'],
    ['delegate', 'completed_at', 'End Time'],
    ['session', 'row_created', 'Creation Time'],
    ['session', 'row_updated', 'Last Update Time'],
  ])('%s dated by %s: %s', (row_type, timestamp_source, desc) => {
    expect(at('2025-11-14T08:12:44.481Z', { row_type, timestamp_source }).timestamp_desc).toBe(desc);
  });

  it('gives an undated row the time of its file, or of the collection, and says so', () => {
    expect(eventOf({ text: 'x' })).toMatchObject({
      timestamp_utc: '',
      datetime: '2025-11-20T10:00:00.007Z',
      timestamp: FILE_TIME * 1000,
      timestamp_desc: 'Not a time (file mtime shown)',
      tag: ['undated'],
      timesketch_notes: 'stand-in:datetime',
    });
    const row = encoding().line(makeRow({ text: 'x' }), undefined);
    expect(JSON.parse(row)).toMatchObject({ datetime: '2026-01-02T03:04:05.000Z', timestamp_desc: 'Not a time (collection time shown)' });
    // A file time that cannot be held is none.
    expect(eventOf({}, Date.UTC(1601, 0, 1)).datetime).toBe('2026-01-02T03:04:05.000Z');
  });

  it.each(['0001-01-01T00:00:00.000Z', '1699-12-31T23:59:59.999Z', '2262-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])(
    'keeps %s, which the importer cannot hold, in the columns and shows a stand-in',
    (timestamp_utc) => {
      const { line, counts } = encoding();
      const event = JSON.parse(line(makeRow({ timestamp_utc, timestamp_source: 'record', text: 'x' }), FILE_TIME));
      expect(event).toMatchObject({
        timestamp_utc,
        datetime: '2025-11-20T10:00:00.007Z',
        timestamp_desc: 'Not a time (file mtime shown)',
        tag: ['out-of-range'],
        timesketch_notes: 'out-of-range:datetime',
      });
      expect(line(makeRow({}), FILE_TIME)).toContain('stand-in:datetime');
      expect(encoding().counts()).toEqual({ stand_in_times: 0, times_out_of_range: 0 });
      expect(counts()).toEqual({ stand_in_times: 2, times_out_of_range: 1 });
    },
  );

  it.each(['1700-01-01T00:00:00.000Z', '2261-12-31T23:59:59.999Z'])('shows %s as it is', (timestamp_utc) => {
    expect(at(timestamp_utc)).toMatchObject({ datetime: timestamp_utc, timestamp: Date.parse(timestamp_utc) * 1000, tag: [] });
  });

  it('has one short line as message, safe to show, and the whole text beside it', () => {
    const text = `one\ntwo\r\tthree \u001b[31m\u202e${'x'.repeat(300)}`;
    const event = at('2025-11-14T08:12:44.481Z', { text });
    expect(event.message).toBe(`one\\ntwo\\r\\tthree \\u{1b}[31m\\u{202e}${'x'.repeat(250 - 21)} \u2026`);
    expect(event.text).toBe(text);
    const emoji = at('2025-11-14T08:12:44.481Z', { text: `${'y'.repeat(249)}😀z` });
    expect(emoji.message).toBe(`${'y'.repeat(249)} \u2026`);
    expect(at('2025-11-14T08:12:44.481Z', { text: '', row_type: 'tool_use', tool_name: 'fs_read' }).message).toBe('(tool_use fs_read)');
  });

  it('is tagged by decision, recovery, secrets, gaps and errors', () => {
    expect(at('2025-11-14T08:12:44.481Z', { row_type: 'permission', decision: 'denied', recovered: 'wal', secret_count: 2 }).tag).toEqual([
      'denied',
      'recovered',
      'secret',
    ]);
    expect(at('2025-11-14T08:12:44.481Z', { row_type: 'gap', agent: '' })).toMatchObject({ tag: ['gap'], data_type: 'kirotrail:gap' });
  });

  it('is masked as a whole, the cut message too', () => {
    const value = 'hunter2-Zebra"Kilo';
    const text = `${'a'.repeat(240)}${value}`;
    const line = encoding().line(makeRow({ text, details: { deep: [value] }, file_paths: [value] }), FILE_TIME);
    const masked = encoding().mask(line, (all) => all.replaceAll(value, '[hidden]'));
    expect(JSON.parse(line).message).toContain('hunter2-Ze');
    expect(masked).not.toContain('hunter2');
    expect(JSON.parse(masked)).toMatchObject({
      text: `${'a'.repeat(240)}[hidden]`,
      details: '{"deep":["[hidden]"]}',
      file_paths: ['[hidden]'],
    });
    expect(Object.keys(JSON.parse(masked))).toEqual(Object.keys(JSON.parse(line)));
  });
});
