import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '../../src/evidence/scratch.js';
import { encodingOf } from '../../src/pipeline/encoding.js';
import { makeFilter } from '../../src/pipeline/filter.js';
import { EvidenceReader } from '../../src/pipeline/read.js';
import { RowSecrets } from '../../src/pipeline/row-secrets.js';
import { readySecrets } from '../../src/pipeline/secret-settings.js';
import { RowSink } from '../../src/pipeline/sink.js';
import { STDIN } from '../../src/pipeline/stdin.js';
import { type Row, RowSchema } from '../../src/rows/row.js';
import { RunFile } from '../../src/write/run-file.js';
import type { Corpus, CorpusFile } from './corpus.js';
import { ENCODERS, encoderFault } from './encoders.js';

/** A file as the pipeline is to meet it. */
export interface Subject {
  readonly file: CorpusFile;
  readonly bytes: Buffer;
  readonly wal: Buffer | undefined;
}

/** No input of the fuzzer is large: what takes longer than this has lost its bound. */
export const BOUND_MS = 5_000;

/** A scan as in a run. Making one ready costs more than many inputs. */
export const freshScan = () => new RowSecrets(readySecrets({ policy: 'redact', least: 'medium' }, [], Buffer.alloc(0)).settings);

/** Reads files with the pipeline's own reader and says what is wrong with the outcome. */
export class Bench {
  private readonly scratch: Scratch;
  private readonly runFile: RunFile;

  constructor(
    private readonly corpus: Corpus,
    private readonly folder: string,
    private readonly secrets: RowSecrets,
  ) {
    this.scratch = createScratch(folder);
    this.runFile = new RunFile(this.scratch.path, 'rows');
  }

  close(): void {
    this.secrets.harvest();
    this.runFile.remove();
    this.scratch.remove();
  }

  /** Throws for the first promise that is broken. */
  async check(subject: Subject): Promise<void> {
    const rows: Row[] = [];
    const line = encodingOf({ format: 'jsonl', csv: { raw: false, bom: false }, collected: 0 }).line;
    const keep = (row: Row) => {
      rows.push(row);
      return line(row, undefined);
    };
    const filter = makeFilter({ keepUndated: false, rowTypes: [], sessions: [], projects: [] });
    const reader = new EvidenceReader({
      scratch: this.scratch,
      sink: new RowSink(keep, this.runFile, filter, this.secrets, true),
      pool: undefined,
      host: '',
      user: '',
      toolVersion: '0',
      recover: true,
      byFile: this.corpus.byFile,
      sizes: new Map(),
      stdin: subject.bytes,
    });
    const started = performance.now();
    await reader.read(this.placed(subject));
    reader.finish();
    const took = performance.now() - started;
    if (took > BOUND_MS) throw new Error(`took ${Math.round(took)} ms`);
    const [input] = reader.inputs;
    if (input === undefined) throw new Error('not among the inputs');
    if (input.rows !== rows.length) throw new Error(`the manifest counts ${input.rows} rows of ${rows.length}`);
    for (const row of rows) expectRow(row, subject, input.sha256);
    if (new Set(rows.map((row) => row.row_id)).size !== rows.length) throw new Error('two rows have one id');
    const broken = rows.some((row) => row.row_type === 'error');
    if (broken !== input.problems.length > 0) throw new Error('error rows and problems of the manifest do not agree');
    if (input.status === 'parsed' && broken) throw new Error('read in full, and yet with an error row');
    for (const encoder of ENCODERS) {
      const fault = encoderFault(encoder, rows);
      if (fault !== undefined) throw new Error(fault);
    }
    if (Object.keys({}).length + Object.keys(Object.prototype).length > 0 || 'polluted' in {}) throw new Error('the prototype was changed');
  }

  /** A database lies in a file; of everything else the bytes are handed over. */
  private placed({ file, bytes, wal }: Subject) {
    const { found } = file;
    const artifact = { ...found.artifact, size: bytes.length };
    if (!isDatabase(file)) return { ...found, artifact, path: STDIN };
    const folder = join(this.folder, 'database');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'data.sqlite3');
    writeFileSync(path, bytes);
    if (wal === undefined) return { ...found, artifact, path, sidecars: [] };
    writeFileSync(`${path}-wal`, wal);
    return { ...found, artifact, path, sidecars: [{ file: `${artifact.file}-wal`, path: `${path}-wal`, suffix: '-wal' as const }] };
  }
}

export const isDatabase = ({ found }: CorpusFile) => ['q-sqlite', 'kiro-ide-state', 'kiro-ide-devdata'].includes(found.store.id);

const TIME = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?$/;

function expectRow(row: Row, { file }: Subject, sha256: string): void {
  const sound = RowSchema.safeParse(row);
  if (!sound.success)
    throw new Error(
      `a row the schema refuses: ${sound.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
    );
  const { artifact } = file.found;
  if (row.source_file !== artifact.file) throw new Error(`a row of ${artifact.file} says ${row.source_file}`);
  if (row.source_sha256 !== sha256) throw new Error('a row with the hash of another file');
  if (row.user !== artifact.user) throw new Error(`a row of ${artifact.user} says ${row.user}`);
  if (!TIME.test(row.timestamp_utc)) throw new Error(`no time: ${row.timestamp_utc}`);
  if (row.timestamp_utc !== '' && Number.isNaN(Date.parse(row.timestamp_utc))) throw new Error(`no time: ${row.timestamp_utc}`);
  // A parser that throws loses the rest of its file.
  if (row.row_type === 'error' && /reading stopped/.test(row.text + row.problem)) throw new Error(`a parser threw: ${row.text}`);
}
