import { describe, expect, it } from 'vitest';
import { qKnowledge } from '../../src/parsers/q-knowledge.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const GOOD = {
  'c-1': {
    id: 'c-1',
    name: 'docs',
    description: 'Knowledge context for docs',
    created_at: '2025-09-01T10:00:00.123456789Z',
    updated_at: '2025-09-02T10:00:00Z',
    persistent: true,
    source_path: '/home/alice/docs',
    include_patterns: ['*.md'],
    exclude_patterns: [],
    item_count: 42,
    embedding_type: 'Fast',
  },
};

describe('q-knowledge', () => {
  itReadsOneObject(qKnowledge, 'knowledge base index', GOOD);

  it('gives one row per context, dated by its creation', () => {
    const rows = jsonDraftsOf(qKnowledge, GOOD);
    expect(rows).toEqual([
      {
        row_type: 'config',
        text:
          'knowledge context: id=c-1 name=docs items=42 persistent=true embedding_type=Fast ' +
          'source_path=/home/alice/docs: Knowledge context for docs',
        time: { ms: Date.parse('2025-09-01T10:00:00.123Z'), ns: 456789, source: 'record', original: '2025-09-01T10:00:00.123456789Z' },
        newRun: true,
        file_paths: ['/home/alice/docs'],
        problem: '',
        details: GOOD['c-1'],
        source_pointer: '/c-1',
      },
    ]);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
  });

  it('keeps strange contexts to one row each', () => {
    const rows = jsonDraftsOf(qKnowledge, { a: 'x', b: { id: 'c', created_at: 'yesterday', item_count: 'many', future: 1 } });
    expect(rows.map((d) => [d.text, d.problem])).toEqual([
      ['knowledge context: id=a: x', 'the knowledge context is not a JSON object'],
      [
        'knowledge context: id=b: ',
        'item_count: Invalid input: expected number, received string; ' +
          'created_at is missing or not a time; the id inside the record differs from its key',
      ],
    ]);
    expect(rows[1]?.details).toEqual({ id: 'c', created_at: 'yesterday', item_count: 'many', future: 1 });
  });

  it('keeps a huge description whole', () => {
    expect(jsonDraftsOf(qKnowledge, { a: { description: 'x'.repeat(1_000_000) } })[0]?.text.length).toBeGreaterThan(1_000_000);
  });
});
