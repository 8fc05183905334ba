import { describe, expect, it } from 'vitest';
import { qSettings } from '../../src/parsers/q-settings.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { draftsOf, jsonDraftsOf, MTIME, missingLeaves } from '../support/memory-source.js';

const GOOD = { 'chat.defaultModel': 'claude-sonnet-4', 'chat.enableDelegate': true, 'api/q~service': { region: 'eu-west-1', n: 3 } };

describe('q-settings', () => {
  itReadsOneObject(qSettings, 'settings', GOOD);

  it('gives one row per key and the default model', () => {
    const rows = jsonDraftsOf(qSettings, GOOD);
    expect(rows.map((d) => [d.row_type, d.text, d.model, d.source_pointer])).toEqual([
      ['config', 'setting: chat.defaultModel="claude-sonnet-4"', undefined, '/chat.defaultModel'],
      ['model', 'model: claude-sonnet-4 source=settings', 'claude-sonnet-4', '/chat.defaultModel'],
      ['config', 'setting: chat.enableDelegate=true', undefined, '/chat.enableDelegate'],
      ['config', 'setting: api/q~service={"region":"eu-west-1","n":3}', undefined, '/api~1q~0service'],
    ]);
    expect(rows.every((d) => d.time === MTIME)).toBe(true);
    expect(missingLeaves(GOOD, rows)).toEqual([]);
  });

  it('keeps unknown keys, odd values and numbers that overflow', () => {
    expect(draftsOf(qSettings, '{"chat.defaultModel":5,"__proto__":"p","big":1e999}').map((d) => d.text)).toEqual([
      'setting: chat.defaultModel=5',
      'setting: __proto__="p"',
      'setting: big="Infinity"',
    ]);
    expect(jsonDraftsOf(qSettings, { a: 'x'.repeat(1_000_000) })[0]?.text).toHaveLength(1_000_013);
  });
});
