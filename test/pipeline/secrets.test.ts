import { describe, expect, it } from 'vitest';
import { textDigest } from '../../src/enrich/fingerprint.js';
import { makeGuard } from '../../src/pipeline/guard.js';
import { RowSecrets } from '../../src/pipeline/row-secrets.js';
import { joinHarvests } from '../../src/pipeline/secret-report.js';
import type { SecretSettings } from '../../src/pipeline/secret-settings.js';
import type { Draft } from '../../src/rows/draft.js';
import { fingerprinter, type Hit } from '../../src/secrets/index.js';
import { csvEncoder } from '../../src/write/csv.js';
import { jsonLine } from '../../src/write/jsonl.js';
import { characters, random } from '../secrets/generate.js';
import { scanner, secretDocuments } from '../secrets/support.js';
import { makeRow } from '../support/cli.js';

const mark = fingerprinter(Buffer.from('key of this test'));
const GITHUB = `gh${'p_'}${characters(random(400), 'base62', 36)}`;

/** A hit for a value, as a store of logins gives it. */
function hit(value: string, rule = 'auth-store'): Hit {
  const [found] = scanner.scanText(value, [{ column: 'text', rule }]);
  if (!found) throw new Error(`nothing found in ${value}`);
  return { ...found, value };
}

const jsonOf = (row: ReturnType<typeof makeRow>) => Buffer.from(`${jsonLine(row)}\n`);

describe('the guard', () => {
  it('gives clean blocks back untouched, and knows nothing without a value', () => {
    const block = jsonOf(makeRow({ text: 'nothing here' }));
    expect(makeGuard([], mark).inspect(block)).toBeUndefined();
    expect(makeGuard([hit('hunter2-Zebra')], mark).inspect(block)).toBeUndefined();
  });

  it.each([
    ['a value with its quotes', '"hunter2-Zebra"', { text: 'hunter2-Zebra', details: { a: 'hunter2-Zebra', b: '"hunter2-Zebra"' } }],
    ['a value that begins like an escape', 'nextSecret-7', { text: 'x\nextSecret-7', details: { a: 'C:\\nextSecret-7' } }],
    ['a value that begins with a backslash', '\\Secret-7x', { text: 'a\\Secret-7x', details: { a: 'b\\\\Secret-7x' } }],
    ['a value that ends with one', 'Secret-7x\\', { text: 'Secret-7x\\', details: { a: 'Secret-7x\n' } }],
    ['a value with a unit of its own', 'u00e9-Secret', { text: '\u00e9-Secret', details: { a: '\\u00e9-Secret' } }],
    ['line separators', 'hunter2-Zebra', { text: 'a\u2028hunter2-Zebra\u2029', details: {} }],
  ])('masks %s, and the line stays JSON', (_, value, columns) => {
    const guard = makeGuard([hit(value)], mark);
    const row = makeRow(columns);
    const block = jsonOf(row);
    const mend = guard.inspect(block);
    if (!mend) throw new Error('taken for clean');
    const line = mend(block).toString();
    expect(line).toBe(`${jsonLine(JSON.parse(line))}\n`);
    expect(JSON.parse(line)).toMatchObject({ row_type: 'prompt', source_line: 0 });
    const body = value.replaceAll('"', '');
    for (const text of [JSON.parse(line).text, JSON.parse(line).details.a ?? '']) expect(text).not.toContain(body);
  });

  it('masks a value with quotes in CSV, where they are doubled, as text and in JSON', () => {
    const value = 'c0rrect"Hor\\se/9';
    const guard = makeGuard([hit(value)], mark);
    const { line } = csvEncoder({ raw: false, bom: false });
    const cells = { text: `it is ${value}`, command: JSON.stringify({ a: value }), details: { a: value, b: JSON.stringify({ c: value }) } };
    const block = Buffer.from(`${line(makeRow(cells))}\n`);
    const mended = guard.inspect(block)?.(block).toString() ?? '';
    expect(mended.match(/\[REDACTED:auth-store:\w{8}\]/g)).toHaveLength(4);
    expect(mended).not.toContain('rrect');
    expect(mended.split('"').length).toBe(
      block
        .toString()
        .replaceAll(/c0rrect.{1,20}?se\/9/g, '')
        .split('"').length,
    );
  });

  it('masks names of members, and counts the lines it changed', () => {
    const guard = makeGuard([hit(GITHUB)], mark);
    const block = Buffer.concat([jsonOf(makeRow({ text: 'x' })), jsonOf(makeRow({ details: { [GITHUB]: 1 } }))]);
    const mend = guard.inspect(block);
    const lines = block.toString().split('\n').slice(0, -1);
    const mended = lines.map((line) => mend?.(Buffer.from(`${line}\n`)).toString() ?? '');
    expect(mended[0]).toBe(`${lines[0]}\n`);
    expect(mended[1]).toMatch(/"details":\{"\[REDACTED:auth-store:\w{8}\]":1\}/);
    expect(guard.lines()).toBe(1);
  });

  it('does not depend on the order in which values were found', () => {
    const hits = [hit('first-Value-1'), hit('first-Value-1', 'aws-sso-cache'), hit('first-Value-12')];
    const text = 'first-Value-12 and first-Value-1';
    expect(makeGuard(hits.toReversed(), mark).clean(text)).toBe(makeGuard(hits, mark).clean(text));
  });

  it('scans messages and documents once it is told to, and keeps them JSON', () => {
    const guard = makeGuard([], mark);
    const document = `${JSON.stringify({ not_read: [`/x/${GITHUB}`], n: 1, empty: [] }, null, 2)}\n`;
    expect(guard.clean(document)).toBe(document);
    guard.watch(scanner, 'redact');
    expect(JSON.parse(guard.clean(document))).toEqual({
      not_read: [expect.stringMatching(/^\/x\/\[REDACTED:github-token:\w{8}\]$/)],
      n: 1,
      empty: [],
    });
    expect(guard.clean(`cannot read /x/${GITHUB}`)).toMatch(/^cannot read \/x\/\[REDACTED:github-token:\w{8}\]$/);
  });
});

describe('the scan of rows', () => {
  const settings = (rest: Partial<SecretSettings> = {}): SecretSettings => ({
    policy: 'redact',
    least: 'medium',
    documents: secretDocuments(),
    key: Buffer.from('key of this test'),
    locate: false,
    ...rest,
  });
  const draft = (rest: Partial<Draft> = {}): Draft => ({ row_type: 'prompt', text: '', ...rest });

  it('finds what repeats in every row, and forgets nothing by remembering clean texts', () => {
    const secrets = new RowSecrets(settings());
    const path = `/home/mira/${GITHUB}`;
    for (let i = 0; i < 3; i += 1) {
      const clean = secrets.apply(makeRow({ project_path: '/home/mira/work' }), draft());
      expect(clean).toMatchObject({ secret_count: 0, secrets: [], project_path: '/home/mira/work' });
      const found = secrets.apply(makeRow({ project_path: path, source_file: path, file_paths: [path] }), draft());
      expect(found.secret_count).toBe(3);
      expect(JSON.stringify(found)).not.toContain(GITHUB);
    }
    expect(secrets.harvest()).toMatchObject({ hits: [{ value: GITHUB }], counts: { 'github-token secret medium': 9 } });
    expect(secrets.harvest()).toEqual({ hits: [], counts: {}, located: [] });
  });

  it('looks through a long text once, and through one that holds something each time', () => {
    const secrets = new RowSecrets(settings());
    const clean = 'nothing to see here. '.repeat(40);
    const telling = `${clean}${GITHUB}`;
    const plain = `password of nobody ${clean}`;
    const named: Draft = draft({ text: plain, credentials: [{ column: 'text', rule: 'auth-store', start: 0, end: 30 }] });
    for (let i = 0; i < 3; i += 1) {
      const one = draft({ text: clean });
      expect(secrets.apply(makeRow({ text: clean }), one, textDigest(clean))).toMatchObject({ secret_count: 0, text: clean });
      const found = secrets.apply(makeRow({ text: telling }), draft({ text: telling }), textDigest(telling));
      expect(found).toMatchObject({ secret_count: 1, secret_rules: ['github-token'] });
      expect(found.text).not.toContain(GITHUB);
      // Clean by itself, and still a place that a parser named.
      expect(secrets.apply(makeRow({ text: plain }), draft({ text: plain }), textDigest(plain)).secret_count).toBe(0);
      expect(secrets.apply(makeRow({ text: plain }), named, textDigest(plain)).secret_count).toBe(1);
    }
  });

  it('marks withheld values, and hands on what has to be hidden elsewhere', () => {
    const withheld = [
      { rule: 'cognito-credentials', key: 'secret_key', value: 'a-value-not-real' },
      { rule: 'cognito-credentials', key: 'access_key_id', value: 'an-id-not-real' },
      { rule: 'cognito-credentials', key: 'session_token', value: '' },
    ];
    const harvested = (policy: SecretSettings['policy']) => {
      const secrets = new RowSecrets(settings({ policy }));
      const row = secrets.apply(makeRow({ text: 'credential stored' }), draft({ withheld }));
      expect(row.secrets.map(({ key, class: kind, start, end }) => [key, kind, start, end])).toEqual([
        ['secret_key', 'secret', 0, 0],
        ['access_key_id', 'identifier', 0, 0],
      ]);
      expect(row.text).toBe('credential stored');
      return secrets.harvest().hits.map(({ value }) => value);
    };
    expect(harvested('redact')).toEqual(['a-value-not-real', 'an-id-not-real']);
    expect(harvested('show')).toEqual(['a-value-not-real']);
  });

  it('lists from a confidence on, and counts all', () => {
    const secrets = new RowSecrets(settings({ least: 'certain', locate: true }));
    const row = secrets.apply(makeRow({ text: `push with ${GITHUB}` }), draft());
    expect(row).toMatchObject({ secret_count: 0, secrets: [], secret_rules: [] });
    expect(row.text).toMatch(/^push with \[REDACTED:/);
    expect(secrets.harvest()).toMatchObject({ counts: { 'github-token secret medium': 1 }, located: [] });
  });

  it('adds up what threads found', () => {
    const one = { hits: [hit('first-Value-1')], counts: { a: 1, b: 2 }, located: [] };
    const two = { hits: [hit('first-Value-2')], counts: { b: 3 }, located: [] };
    expect(joinHarvests([one, two])).toEqual({ hits: [...one.hits, ...two.hits], counts: { a: 1, b: 5 }, located: [] });
  });
});
