import { describe, expect, it } from 'vitest';
import { qTodo } from '../../src/parsers/q-todo.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const GOOD = {
  tasks: [
    { task_description: 'read the code', completed: true },
    { task_description: 'write tests', completed: false },
  ],
  description: 'Cover the parser',
  context: ['Read it all.'],
  modified_files: ['/p/a.ts', '/p/b.ts', '/p/a.ts'],
  id: '1761871929560',
};
const WHERE = { file: 'work/site/.amazonq/cli-todo-lists/1761871929560.json', base: 'work/site', inProject: true };
const read = (value: unknown) => jsonDraftsOf(qTodo, value, WHERE);

describe('q-todo', () => {
  itReadsOneObject(qTodo, 'todo list', GOOD);

  it('gives the list dated by its id, then tasks, notes and files', () => {
    const rows = read(GOOD);
    expect(rows.map((d) => [d.row_type, d.text, d.origin, d.time?.ms, d.source_pointer])).toEqual([
      [
        'session',
        'todo list: id=1761871929560 tasks=2 completed=1: Cover the parser',
        undefined,
        Date.parse('2025-10-31T00:52:09.560Z'),
        undefined,
      ],
      ['session', 'todo task: completed=true: read the code', undefined, undefined, '/tasks/0'],
      ['session', 'todo task: completed=false: write tests', undefined, undefined, '/tasks/1'],
      ['context', 'Read it all.', 'agent', undefined, '/context/0'],
      ['file', 'file named as modified by todo list: /p/a.ts', 'agent', undefined, '/modified_files/0'],
      ['file', 'file named as modified by todo list: /p/b.ts', 'agent', undefined, '/modified_files/1'],
    ]);
    expect(rows[0]?.time).toMatchObject({ source: 'record', original: '1761871929560' });
    expect(rows[0]?.details).toEqual({ last_update: '2026-05-01T10:00:00.000Z', last_update_source: 'file_mtime' });
    expect(rows.slice(4).map((d) => [d.file_paths, d.details])).toEqual([
      [['/p/a.ts'], { times: 2 }],
      [['/p/b.ts'], { times: 1 }],
    ]);
    expect(rows.every((d) => d.project_path === 'work/site' && !d.problem)).toBe(true);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
  });

  it.each(['abc', '5554218750347', '176187192', '9999999999999', ''])('takes no time from the id %s', (id) => {
    const [row] = read({ ...GOOD, id });
    expect(row?.time).toBeUndefined();
    expect(row?.problem).toBe('the id is not a creation time in Unix ms; the id differs from the file name');
  });

  it('keeps strange tasks, unknown fields and fields of a wrong type', () => {
    const odd = {
      id: 1761871929560,
      tasks: ['t', { task_description: 'x', note: 'n' }],
      description: 5,
      context: 'c',
      modified_files: [{ p: 'q' }],
      owner: 'me',
    };
    const rows = read(odd);
    expect(rows.map((d) => [d.row_type, d.text])).toEqual([
      ['session', 'todo list: id= tasks=2 completed=0: '],
      ['session', 'todo task: completed=unknown: t'],
      ['session', 'todo task: completed=unknown: x'],
      ['file', 'file named as modified by todo list: {"p":"q"}'],
    ]);
    expect(rows[2]?.details).toEqual({ note: 'n' });
    expect(rows[0]?.details).toMatchObject({ id: 1761871929560, description: 5, context: 'c', owner: 'me' });
  });

  it('keeps a huge note whole', () => {
    expect(read({ ...GOOD, context: ['n'.repeat(1_000_000)] })[3]?.text).toHaveLength(1_000_000);
  });
});
