import { expect, it } from 'vitest';
import { createScratch } from '../../src/evidence/scratch.js';
import { EvidenceReader } from '../../src/pipeline/read.js';
import { RowSink } from '../../src/pipeline/sink.js';
import type { Row } from '../../src/rows/row.js';
import { RunFile } from '../../src/write/run-file.js';
import { testFolder } from '../support/cli.js';

it('several troubles of one file are rows with ids of their own, the same in each run', () => {
  const ids = () => {
    const rows: Row[] = [];
    const scratch = createScratch(testFolder());
    const encode = (row: Row) => {
      rows.push(row);
      return '';
    };
    const sink = new RowSink(encode, new RunFile(scratch.path, 'rows'), () => undefined, undefined, false);
    const nothing = { pool: undefined, host: '', user: '', toolVersion: '0', recover: true, stdin: undefined };
    const reader = new EvidenceReader({ scratch, sink, ...nothing, byFile: new Map(), sizes: new Map() });
    for (const what of ['damaged', 'cut']) reader.unreadable({ file: 'x.zip', what });
    reader.unreadable({ file: 'y.zip', what: 'cut' });
    scratch.remove();
    return rows.map((row) => row.row_id);
  };
  expect(new Set(ids()).size).toBe(3);
  expect(ids()).toEqual(ids());
});
