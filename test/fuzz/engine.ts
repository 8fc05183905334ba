import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { messageOf } from '../../src/rows/problem.js';
import { buildCorpus, type Corpus, type CorpusFile } from './corpus.js';
import { editedDatabase } from './database-edits.js';
import { damaging, type Edit, edited, structured } from './edits.js';
import { ENCODERS, encoderFault } from './encoders.js';
import { ALL_FORMS, ARCHIVES, planOf as evidenceOf } from './evidence.js';
import { anyRow } from './rows.js';
import { Bench, freshScan, isDatabase, type Subject } from './subject.js';
import { Commands, commandOf, homeOf } from './whole.js';

/** Inputs that share one seed: enough to make the start worth it, few enough that one failure does not hide much. */
const BLOCK = 100;
/** Larger fixtures are taken one time in thirty. */
const SMALL = 40_000;
const LARGEST_IN_HOME = 20_000;

export interface StoreResult {
  readonly store: string;
  inputs: number;
  structured: number;
  slowestMs: number;
  readonly failures: Failure[];
}

export interface Failure {
  readonly store: string;
  /** Replays it: `--only STORE --seed SEED`. */
  readonly seed: number;
  readonly file: string;
  readonly what: string;
  readonly bytes: Buffer;
}

/** Every encoder over any rows; a "store" of its own in the summary. */
export const WRITERS = '(encoders)';
/** The built program over changed homes in every form, and over changed archives. A process each: so many fewer are run. */
export const COMMANDS = '(commands)';
export const PACKED = '(archives)';
const FEWER = 10;

function fuzzEncoders(seed: number, inputs: number, tell: (rows: string) => void): StoreResult {
  const result: StoreResult = { store: WRITERS, inputs: 0, structured: 0, slowestMs: 0, failures: [] };
  const property = fc.property(fc.array(anyRow, { minLength: 1, maxLength: 3 }), (rows) => {
    result.inputs += 1;
    result.structured += 1;
    tell(JSON.stringify(rows));
    const started = performance.now();
    for (const encoder of ENCODERS) {
      const fault = encoderFault(encoder, rows);
      if (fault !== undefined) throw new Error(fault);
    }
    result.slowestMs = Math.max(result.slowestMs, performance.now() - started);
  });
  const outcome = fc.check(property, { seed, numRuns: inputs });
  const [rows] = outcome.counterexample ?? [];
  const what = messageOf(outcome.errorInstance);
  if (rows !== undefined) result.failures.push({ store: WRITERS, seed, file: '', what, bytes: Buffer.from(JSON.stringify(rows)) });
  return result;
}

/** A private folder with every fixture in it. */
export class Fuzzer {
  readonly folder = mkdtempSync(join(tmpdir(), 'kirotrail-fuzz-'));
  readonly corpus: Corpus = buildCorpus(join(this.folder, 'corpus'));

  private readonly secrets = freshScan();
  private whole: Commands | undefined;

  /** `current`: a file that always holds the input at work, so that one which never ends is known. */
  constructor(private readonly current?: string) {}

  get stores(): readonly string[] {
    return [...this.corpus.byStore.keys()].sort();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** `inputs` changed files of one store. The same seed gives the same inputs. */
  async store(store: string, seed: number, inputs: number): Promise<StoreResult> {
    if (store === WRITERS) return fuzzEncoders(seed, inputs, (rows) => this.tell(rows));
    if (store === COMMANDS || store === PACKED) return this.commands(store, seed, Math.ceil(inputs / FEWER));
    const result: StoreResult = { store, inputs: 0, structured: 0, slowestMs: 0, failures: [] };
    for (let done = 0; done < inputs; done += BLOCK) await this.block(result, seed + done / BLOCK, Math.min(BLOCK, inputs - done));
    return result;
  }

  private tell(input: string | Buffer): void {
    if (this.current !== undefined) writeFileSync(this.current, input);
  }

  /** Each plan once, without making a failing one smaller: its number and the seed give it again. */
  private commands(store: string, seed: number, runs: number): StoreResult {
    const result: StoreResult = { store, inputs: 0, structured: 0, slowestMs: 0, failures: [] };
    this.whole ??= new Commands(this.folder, homeOf(this.corpus, LARGEST_IN_HOME));
    const plans = fc.sample(commandOf(evidenceOf(store === PACKED ? ARCHIVES : ALL_FORMS)), { seed, numRuns: runs });
    for (const [i, plan] of plans.entries()) {
      const text = JSON.stringify(plan);
      this.tell(text);
      result.inputs += 1;
      if (plan.evidence.packed.length === 0) result.structured += 1;
      const started = performance.now();
      try {
        this.whole.check(plan);
      } catch (error) {
        result.failures.push({ store, seed, file: `plan ${i}`, what: messageOf(error), bytes: Buffer.from(text) });
      }
      result.slowestMs = Math.max(result.slowestMs, performance.now() - started);
    }
    return result;
  }

  private async block(result: StoreResult, seed: number, numRuns: number): Promise<void> {
    const files = this.corpus.byStore.get(result.store) ?? [];
    const bench = new Bench(this.corpus, this.folder, this.secrets);
    let last: Subject | undefined;
    try {
      const property = fc.asyncProperty(planOf(files), async (plan) => {
        last = this.subjectOf(files, plan);
        this.tell(last.bytes);
        result.inputs += 1;
        if (plan.structured) result.structured += 1;
        const started = performance.now();
        await bench.check(last);
        result.slowestMs = Math.max(result.slowestMs, performance.now() - started);
      });
      const outcome = await fc.check(property, { seed, numRuns });
      const [plan] = outcome.counterexample ?? [];
      if (outcome.failed && plan !== undefined) {
        const { file, bytes } = this.subjectOf(files, plan);
        const what = messageOf(outcome.errorInstance);
        result.failures.push({ store: result.store, seed, file: file.found.artifact.file, what, bytes });
      }
    } finally {
      bench.close();
    }
  }

  private subjectOf(files: readonly CorpusFile[], plan: Plan): Subject {
    const file = files[plan.file];
    const other = files[plan.other];
    if (file === undefined || other === undefined) throw new Error('no such file');
    const { bytes, wal } = file;
    if (!isDatabase(file)) return { file, bytes: edited(bytes, plan.edits, other.bytes), wal };
    if (plan.structured) return { file, bytes: editedDatabase(bytes, plan.edits, other.bytes, this.folder), wal };
    // A log is damaged as often as its database.
    if (wal !== undefined && plan.other % 2 === 0) return { file, bytes, wal: edited(wal, plan.edits, other.bytes) };
    return { file, bytes: edited(bytes, plan.edits, other.bytes), wal };
  }
}

interface Plan {
  readonly file: number;
  readonly other: number;
  readonly structured: boolean;
  readonly edits: readonly Edit[];
}

function planOf(files: readonly CorpusFile[]): fc.Arbitrary<Plan> {
  const numbers = (large: boolean) => files.flatMap(({ bytes }, i) => (bytes.length > SMALL === large ? [i] : []));
  const [small, large] = [numbers(false), numbers(true)];
  const file = fc.oneof(
    ...(small.length > 0 ? [{ weight: 30, arbitrary: fc.constantFrom(...small) }] : []),
    ...(large.length > 0 ? [{ weight: 1, arbitrary: fc.constantFrom(...large) }] : []),
  );
  const other = fc.nat({ max: files.length - 1 });
  const plan = (kind: boolean, edits: typeof structured) => fc.record({ file, other, structured: fc.constant(kind), edits });
  return fc.oneof(plan(true, structured), plan(false, damaging));
}
