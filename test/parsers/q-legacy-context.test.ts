import { describe, expect, it } from 'vitest';
import { qLegacyContext } from '../../src/parsers/q-legacy-context.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const GOOD = {
  paths: ['AmazonQ.md', '~/notes/**/*.md'],
  hooks: {
    status: {
      trigger: 'per_prompt',
      type: 'inline',
      disabled: false,
      timeout_ms: 30000,
      max_output_size: 10240,
      cache_ttl_seconds: 0,
      command: 'git status',
    },
  },
};

describe('q-legacy-context', () => {
  itReadsOneObject(qLegacyContext, 'context configuration', GOOD);

  it('gives paths and hooks of the global file', () => {
    const rows = jsonDraftsOf(qLegacyContext, GOOD, { file: 'home/alice/.aws/amazonq/global_context.json' });
    expect(rows.map((d) => [d.row_type, d.text, d.file_paths, d.command, d.source_pointer])).toEqual([
      ['config', 'context path: AmazonQ.md', ['AmazonQ.md'], undefined, '/paths/0'],
      ['config', 'context path: ~/notes/**/*.md', ['~/notes/**/*.md'], undefined, '/paths/1'],
      [
        'config',
        'hook: trigger=per_prompt name=status type=inline disabled=false timeout_ms=30000: git status',
        undefined,
        'git status',
        '/hooks/status',
      ],
    ]);
    expect(rows.every((d) => d.time === MTIME)).toBe(true);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
  });

  it('names the profile', () => {
    const rows = jsonDraftsOf(qLegacyContext, GOOD, { file: 'home/alice/.aws/amazonq/profiles/work/context.json' });
    expect(rows[0]?.text).toBe('context path: profile=work: AmazonQ.md');
    expect(rows.map((d) => d.details?.profile)).toEqual(['work', 'work', 'work']);
  });

  it('keeps strange values to one row each', () => {
    const rows = jsonDraftsOf(qLegacyContext, { paths: [7, 'a'], hooks: { h: null }, extra: 'x' });
    expect(rows.map((d) => [d.text, d.problem])).toEqual([
      ['context path: 7', 'not a list of texts'],
      ['context path: a', ''],
      ['hook: name=h: null', 'the hook is not a JSON object'],
      ['context configuration field: extra="x"', 'a field the program does not know'],
    ]);
    expect(jsonDraftsOf(qLegacyContext, { paths: 'p' }).map((d) => [d.text, d.problem])).toEqual([
      ['context path: p', 'not a list of texts'],
    ]);
  });

  it('keeps a huge command whole', () => {
    const rows = jsonDraftsOf(qLegacyContext, { hooks: { h: { command: 'x'.repeat(1_000_000) } } });
    expect(rows[0]?.command).toHaveLength(1_000_000);
  });
});
