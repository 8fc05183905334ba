import { describe, expect, it } from 'vitest';
import { kiroChatLog } from '../../src/parsers/kiro-chat-log.js';
import { draftsOf } from '../support/memory-source.js';

const read = (content: string) => draftsOf(kiroChatLog, content, { agent: 'kiro-cli' });

describe('kiro-chat-log', () => {
  it.each([
    ['ERROR chat_cli::cli: could not start: no file', 'level=ERROR target=chat_cli::cli: could not start: no file', ''],
    [' INFO chat{id=1}: chat_cli::api: 12: sent', 'level=INFO target=chat_cli::api line=12 spans=chat{id=1}: sent', ''],
    [' WARN free text', 'level=WARN: free text', 'no target'],
  ])('reads a record: %s', (body, text, problem) => {
    const [row] = read(`2026-05-13T08:27:41.441552Z ${body}\n`);
    expect([row?.row_type, row?.text, row?.problem, row?.time?.ns]).toEqual(['log', `log: ${text}`, problem, 552000]);
  });

  it('joins the lines of a record and names lines ahead of the first', () => {
    expect(read('rest\n2026-05-13T08:27:41Z ERROR a: b\n  more\n').map((d) => [d.row_type, d.text, d.source_line])).toEqual([
      ['error', 'parser: lines ahead of the first log record: rest', 1],
      ['log', 'log: level=ERROR target=a: b\n  more', 2],
    ]);
  });
});
