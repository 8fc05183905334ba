import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { copyHome, kirotrail, rowsOf, testFolder } from '../support/cli.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);

function check(name: string, value: unknown): void {
  const { code, stdout, stderr } = kirotrail(['schema', name]);
  expect([code, stderr]).toEqual([0, '']);
  const validate = new Ajv2020({ strict: true, strictRequired: false, allErrors: true }).compile(JSON.parse(stdout.toString()));
  const values = Array.isArray(value) ? value : [value];
  expect(values.length).toBeGreaterThan(0);
  for (const one of values) {
    validate(one);
    expect(validate.errors ?? []).toEqual([]);
  }
  // It is not a schema that takes anything.
  expect(validate({ ...values[0], strange: 1 })).toBe(false);
  expect(validate({})).toBe(false);
}

const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
const documentOf = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

beforeAll(() => {
  copyHome(at('evidence'));
  kirotrail(['analyze', at('evidence'), '-o', at('case'), '-q']);
  for (const format of ['csv', 'timesketch', 'ecs'])
    kirotrail([at('evidence'), '-q', '-f', format, '-o', at(`${format}.${format === 'csv' ? 'csv' : 'jsonl'}`)]);
});

describe('kirotrail schema', () => {
  it('row: every row of a timeline', () => check('row', linesOf(at('case/timeline.jsonl'))));
  it('session: every session of an analysis', () => check('session', linesOf(at('case/sessions.jsonl'))));
  it('finding: every finding of an analysis', () => check('finding', linesOf(at('case/findings.jsonl'))));
  it('manifest: that of every format', () =>
    check(
      'manifest',
      ['case/timeline.jsonl', 'csv.csv', 'timesketch.jsonl', 'ecs.jsonl'].map((name) => documentOf(at(`${name}.manifest.json`))),
    ));

  it('without a name: row', () => expect(kirotrail(['schema']).stdout).toEqual(kirotrail(['schema', 'row']).stdout));

  it('2: an unknown name, with the known ones', () => {
    const { code, stderr } = kirotrail(['schema', 'rows']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Choices: "row", "session", "finding", "manifest"')]);
  });
});

describe('-f ecs', () => {
  it('gives each row of the JSONL whole, in the same order, with what ECS asks of a document', () => {
    const documents = linesOf(at('ecs.jsonl'));
    expect(documents.map((document) => Object(document).kirotrail)).toEqual(rowsOf(readFileSync(at('case/timeline.jsonl'))));
    for (const document of documents) {
      const { '@timestamp': time, message, tags, ecs, event } = Object(document);
      expect([Number.isNaN(Date.parse(time)), typeof message, Array.isArray(tags), ecs.version]).toEqual([
        false,
        'string',
        true,
        '9.5.0-dev',
      ]);
      expect((event.category ?? []).every((name: string) => ['configuration', 'file', 'process', 'session'].includes(name))).toBe(true);
      expect(['allowed', 'denied', 'error', 'info', 'start']).toContain(event.type[0]);
    }
    const { counts, ecs } = Object(documentOf(at('ecs.jsonl.manifest.json')));
    expect(ecs).toEqual({ stand_in_times: counts.undated });
  });
});
