import { describe, expect, it } from 'vitest';
import { type Row, RowSchema } from '../../src/rows/row.js';
import { exactValues, fingerprinter, type LocatedFinding, maskRow, rowStrings, sarif } from '../../src/secrets/index.js';
import { characters, random } from './generate.js';
import { rules, scanner } from './support.js';

const mark = fingerprinter(Buffer.from('key of this test'));
const token = `gh${'p_'}${characters(random(1), 'base62', 36)}`;

function row(rest: Partial<Row>): Row {
  const texts = Object.fromEntries(Object.keys(RowSchema.shape).map((column) => [column, '']));
  return RowSchema.parse({
    ...texts,
    ...{ turn_type: 'user', row_type: 'prompt', timestamp_source: 'none', source_line: 0, exit_code: null, duration_ms: null },
    ...{ file_paths: [], source_offset: null, secret_count: null, secret_rules: [], secrets: [], details: {}, row_id: '0123456789abcdef' },
    ...rest,
  });
}

describe('the strings of a row', () => {
  const given = row({
    text: `push with ${token}`,
    file_paths: ['/a', `/b/${token}`],
    details: {
      environment: [
        { key: 'DB_PASSWORD', value: 'hunter2-Zebra!' },
        { key: 'LANG', value: 'C.UTF-8' },
      ],
      args: ['--password', 'x9-Tango!'],
      n: 1,
    },
  });

  it('carry place and name', () => {
    expect(rowStrings(given)).toContainEqual({
      column: 'details',
      text: 'hunter2-Zebra!',
      pointer: '/environment/0/value',
      key: 'DB_PASSWORD',
    });
    expect(rowStrings(given)).toContainEqual({ column: 'file_paths', text: `/b/${token}`, pointer: '/1' });
  });

  it('are all masked', () => {
    const hits = scanner.scanRow(rowStrings(given));
    const masked = maskRow(given, hits, 'redact', mark);
    expect(hits.map(({ finding }) => [finding.column, finding.pointer ?? ''])).toEqual([
      ['text', ''],
      ['file_paths', '/1'],
      ['details', '/environment/0/value'],
      ['details', '/args/1'],
    ]);
    for (const { value } of hits) expect(JSON.stringify(masked)).not.toContain(value);
    expect(RowSchema.parse(masked)).toEqual(masked);
    expect(masked.details['n']).toBe(1);
    expect(masked.row_id).toBe(given.row_id);
  });

  it('are masked for what other rows showed', () => {
    const exact = exactValues('redact', mark);
    for (const hit of scanner.scanRow(rowStrings(given))) exact.add(hit);
    const other = row({
      text: 'it was hunter2-Zebra!',
      problem: `bad line: ${token}`,
      details: { a: { 'hunter2-Zebra!': ['hunter2-Zebra!'] } },
    });
    expect(JSON.stringify(maskRow(other, [], 'redact', mark, exact))).not.toMatch(/hunter2|ghp_/);
  });
});

describe('SARIF', () => {
  const findings: LocatedFinding[] = scanner.scanText(`push with ${token}`).map(({ finding, value }) => ({
    ...finding,
    row_id: '0123456789abcdef',
    source_file: 'home/bob smith/data.sqlite3',
    source_line: 7,
    fingerprint: mark(value),
  }));

  it('names rule, file and mark, and no value', () => {
    const log = sarif(findings, { version: '1.0.0' }, rules.rules);
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'kirotrail',
              version: '1.0.0',
              rules: [{ id: 'github-token', shortDescription: { text: expect.stringContaining('GitHub') } }],
            },
          },
          results: [
            {
              ruleId: 'github-token',
              ruleIndex: 0,
              level: 'warning',
              locations: [{ physicalLocation: { artifactLocation: { uri: 'home/bob%20smith/data.sqlite3' }, region: { startLine: 7 } } }],
              partialFingerprints: { 'kirotrailSecret/v1': expect.stringMatching(/^s1:[0-9a-f]{16}$/) },
            },
          ],
        },
      ],
    });
    expect(JSON.stringify(log)).not.toContain(token);
  });

  it('gives no region where there is no line', () => {
    const [one] = findings;
    if (!one) throw new Error('nothing found');
    expect(JSON.stringify(sarif([{ ...one, source_line: 0 }], { version: '1' }, rules.rules))).not.toContain('region');
  });
});
