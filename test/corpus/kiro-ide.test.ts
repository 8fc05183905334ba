import { describe, expect, it } from 'vitest';
import { kiroV3Messages } from '../../src/parsers/kiro-v3/messages.js';
import { fixture } from '../conversation/files.js';
import { draftsOf } from '../support/memory-source.js';

// Records of a session log as an IDE build writes them. Counts are taken from the file itself.

const LOG = fixture('real-shaped/kiro-ide/messages-shapes.jsonl');
interface Stored {
  id: string;
  payload: { type: string; operationType?: string; content?: unknown; args?: unknown };
}
const records = LOG.toString('utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Stored => JSON.parse(line));
const rows = draftsOf(kiroV3Messages, LOG, { file: 'messages-shapes.jsonl' });

const count = (type: string, operation?: string) =>
  records.filter(({ payload }) => payload.type === type && (operation === undefined || payload.operationType === operation)).length;

describe('messages-shapes.jsonl', () => {
  it('is known by its content and read without an error', () => {
    expect(kiroV3Messages.detect?.(LOG.subarray(0, 65_536))).toBe(true);
    expect(rows.filter((row) => row.row_type === 'error')).toEqual([]);
  });

  it.each([
    ['prompt', count('user')],
    ['tool_use', count('tool_call')],
    ['tool_result', count('tool_result')],
    ['thinking', count('assistant', 'Reasoning')],
    ['summary', count('assistant', 'Summary')],
    ['assistant', count('assistant', 'Say') + count('assistant', 'Print')],
  ])('gives as many rows of the type %s as it holds records: %i', (type, expected) => {
    expect(expected).toBeGreaterThan(0);
    expect(rows.filter((row) => row.row_type === type)).toHaveLength(expected);
  });

  it('gives a row for each record, and each text of a message as it is stored', () => {
    expect(new Set(rows.map((row) => row.source_line)).size).toBe(records.length);
    const texts = new Set(rows.map((row) => row.text));
    for (const { payload } of records) {
      if (typeof payload.content === 'string' && payload.type !== 'session_start') expect(texts).toContain(payload.content);
      if (payload.args !== undefined) expect(texts).toContain(JSON.stringify(payload.args));
    }
  });
});
