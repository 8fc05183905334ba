import { describe, expect, it } from 'vitest';
import { qCheckpointRepository } from '../../src/parsers/q-checkpoint-repository.js';
import { draftsOf, MTIME } from '../support/memory-source.js';

const read = (content: string | Uint8Array) =>
  draftsOf(qCheckpointRepository, content, { file: 'home/alice/.aws/amazonq/cli-checkouts/6f1f0d0e-1111/HEAD' });

describe('q-checkpoint-repository', () => {
  it('gives one row that names the conversation', () => {
    expect(read('ref: refs/heads/main\n')).toEqual([
      {
        row_type: 'session',
        text: 'session: checkpoint repository left behind',
        session_id: '6f1f0d0e-1111',
        problem: '',
        details: { head: 'ref: refs/heads/main\\u{a}', size: 21 },
        time: MTIME,
        project_path: '',
      },
    ]);
    expect(read('0123456789abcdef0123456789abcdef01234567')[0]?.problem).toBe('');
  });

  it.each([
    ['empty', ''],
    ['cut', 'ref: re'],
    ['not UTF-8', Buffer.from([0xff, 0xfe])],
    ['a list', '["x"]'],
    ['a text', '"x"'],
    ['huge', 'x'.repeat(5_000_000)],
  ])('says that a HEAD is damaged: %s', (_, content) => {
    const rows = read(content);
    expect(rows.map((d) => [d.session_id, d.problem])).toEqual([
      ['6f1f0d0e-1111', 'HEAD holds no reference: the repository is damaged, or is none'],
    ]);
    expect(JSON.stringify(rows).length).toBeLessThan(2000);
  });

  it('takes no session from a file without folder', () => {
    expect(draftsOf(qCheckpointRepository, 'ref: refs/heads/main', { file: 'HEAD' })[0]?.session_id).toBe('');
  });
});
