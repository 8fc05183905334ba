import { appendFileSync, copyFileSync, mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildFixtures } from '../../scripts/build-fixtures.js';
import { loadCatalog } from '../../src/catalog/load.js';
import { collect } from '../../src/collect/collect.js';
import { createScratch } from '../../src/evidence/scratch.js';
import { EvidenceReader } from '../../src/pipeline/read.js';
import { RowSink } from '../../src/pipeline/sink.js';
import type { Row } from '../../src/rows/row.js';
import { RunFile } from '../../src/write/run-file.js';
import { testFolder } from '../support/cli.js';

const DATABASE = '.local/share/amazon-q/data.sqlite3';
const folder = testFolder();
let path = '';
let count = 0;

beforeEach(() => {
  const home = join(folder, `home-${count++}`);
  path = join(home, DATABASE);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(buildFixtures(join(folder, 'built')).find((built) => built.endsWith(DATABASE)) ?? '', path);
});

/** Reads a home with one database; `meanwhile` happens after it was copied and looked through for what was deleted. */
async function read(meanwhile: () => void) {
  const scratch = createScratch(folder);
  const rows: Row[] = [];
  const encode = (row: Row) => {
    rows.push(row);
    return '';
  };
  try {
    const { artifacts } = collect([dirname(dirname(dirname(dirname(path))))], loadCatalog());
    const sink = new RowSink(encode, new RunFile(scratch.path, 'rows'), () => undefined, undefined, false);
    const byFile = new Map(artifacts.map((found) => [found.artifact.file, found]));
    const settings = {
      scratch,
      sink,
      pool: undefined,
      host: '',
      user: '',
      toolVersion: '0',
      recover: true,
      byFile,
      sizes: new Map(),
      stdin: undefined,
    };
    const reader = new EvidenceReader(settings);
    for (const found of artifacts) await reader.read(found);
    meanwhile();
    reader.finish();
    const errors = rows.filter((row) => row.row_type === 'error').map(({ text }) => text);
    return { errors, inputs: reader.inputs.map(({ status, problems }) => ({ status, problems })) };
  } finally {
    scratch.remove();
  }
}

it('a database that nobody writes to is read in full', async () => {
  expect(await read(() => {})).toEqual({ errors: [], inputs: [{ status: 'parsed', problems: [] }] });
});

it.each([
  ['longer', () => appendFileSync(path, Buffer.alloc(4096))],
  ['of another time', () => utimesSync(path, new Date(), new Date())],
])('a database that is %s when its deleted space was read is said to have changed', async (_, meanwhile) => {
  expect(await read(meanwhile)).toEqual({
    errors: [`parser: ${DATABASE}: changed while being read`],
    inputs: [{ status: 'partly_read', problems: ['changed while being read'] }],
  });
});
