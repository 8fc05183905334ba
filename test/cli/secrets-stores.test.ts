import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { kirotrail, manifestOf, testFolder } from '../support/cli.js';
import { plantStores } from '../support/planted-stores.js';
import { sarifFaults } from '../support/sarif.js';

const folder = testFolder();
const home = join(folder, 'home');
let planted: ReadonlyMap<string, string>;

/** Stores of which no text is read, or none of free form: they are listed, hashed, or told by names and counts. */
const UNREAD = [
  ...['ai-dlc-work', 'flow-agents-artifact', 'kiro-other-settings', 'kiro-prompts', 'kiro-skills', 'kiro-specs', 'kiro-steering'],
  ...['kiro-v3-snapshot', 'q-prompts', 'q-rules'],
];

beforeAll(() => {
  planted = plantStores(home);
});

/** Everything a run wrote. */
function written(format: 'csv' | 'jsonl', ...more: readonly string[]) {
  const path = join(folder, `${more.join('')}.${format}`);
  const call = kirotrail([home, '-o', path, '--secrets-sarif', `${path}.sarif`, ...more], { env: { SOURCE_DATE_EPOCH: '0' } });
  const files = [path, `${path}.manifest.json`, `${path}.sarif`].map((file) => readFileSync(file, 'utf8'));
  return { path, all: [...files, call.stderr, call.stdout.toString()].join('\n'), sarif: files[2] ?? '' };
}

/** The token as it is, or the characters that it alone decides in base64 at each of the three places it may begin at. */
function formsOf(token: string): string[] {
  const codes = [0, 1, 2].map((shift) => {
    const code = Buffer.concat([Buffer.alloc(shift), Buffer.from(token)]).toString('base64');
    return code.slice(shift === 0 ? 0 : 4, -4);
  });
  return [token, ...codes];
}

const left = (all: string) => [...planted].filter(([, token]) => formsOf(token).some((form) => all.includes(form))).map(([path]) => path);

describe('a secret in each file of each store', () => {
  it('is shown when it is asked for, by every store whose text is read', () => {
    const { all, path } = written('jsonl', '--secrets=show');
    const shown = new Set(left(all));
    const inputs = manifestOf(`${path}.manifest.json`).inputs.filter((input) => planted.has(input.path));
    const stores = (readable: boolean) =>
      [...new Set(inputs.map(({ store }) => store))]
        .filter((store) => inputs.some((input) => input.store === store && shown.has(input.path)) === readable)
        .sort();
    expect(stores(false)).toEqual([...UNREAD].sort());
    expect(stores(true).length).toBeGreaterThan(45);
    expect(shown.size).toBeGreaterThan(100);
    for (const agent of ['kiro-ide-', 'flow-agents-', 'ai-dlc-', 'hook-'])
      expect(stores(true).some((store) => store.startsWith(agent))).toBe(true);
  });

  it.each([
    ['csv', '--workers=0'],
    ['csv', '--workers=2'],
    ['jsonl', '--workers=0'],
    ['jsonl', '--workers=2'],
  ] as const)('is in no output, as it is or in base64: %s %s', (format, workers) => {
    const { all, sarif } = written(format, workers);
    expect(left(all)).toEqual([]);
    expect(sarifFaults(JSON.parse(sarif))).toEqual([]);
  });
});
