import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyHome, kirotrail, rowsOf, testFolder } from '../support/cli.js';

const folder = testFolder();
const [one, two] = [join(folder, 'one'), join(folder, 'two')];

it('rows say the same of a home that is named alone and of one that is named among others', () => {
  copyHome(one);
  cpSync('fixtures/findings/home', two, { recursive: true, preserveTimestamps: true });
  const common = ['-f', 'jsonl', '-q', '--fingerprint-key', join(one, '.aws/amazonq/.cli_bash_history')];
  const alone = rowsOf(kirotrail([one, ...common]).stdout);
  const among = rowsOf(kirotrail([one, two, ...common]).stdout)
    .filter((row) => row.source_file.startsWith('one/'))
    .map((row) => ({ ...row, source_file: row.source_file.slice(4), text: row.text.replace('(from one/', '(from ') }));
  expect(alone.length).toBeGreaterThan(500);
  expect(among).toEqual(alone);
});
