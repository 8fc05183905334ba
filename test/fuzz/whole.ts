import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { z } from 'zod';
import { kirotrail, stateOf } from '../support/cli.js';
import type { Corpus } from './corpus.js';
import { type EvidencePlan, type HomeFile, layDown } from './evidence.js';

// The built program as a whole: what it ends with, says, writes and leaves, held against what its manifest and its rows say.

const FORMATS = ['jsonl', 'csv', 'timesketch', 'ecs'] as const;
const WRONG = [
  [],
  ['--format', 'xml'],
  ['--workers', '-1'],
  ['--since', 'yesterday'],
  ['--row-type', 'nothing'],
  ['--nonsense'],
  ['-o', ''],
];

export interface CommandPlan {
  readonly evidence: EvidencePlan;
  readonly format: (typeof FORMATS)[number];
  readonly workers: number;
  /** A wrong option; 0 for none. */
  readonly wrong: number;
}

export const commandOf = (evidence: fc.Arbitrary<EvidencePlan>): fc.Arbitrary<CommandPlan> =>
  fc.record({
    evidence,
    format: fc.constantFrom('jsonl', ...FORMATS),
    workers: fc.constantFrom(0, 0, 0, 2),
    wrong: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: WRONG.length - 1 }) }),
  });

/** What the exit code follows from; written down here a second time, on purpose. */
const Told = z.looseObject({
  inputs: z.array(z.looseObject({ path: z.string(), status: z.string(), rows: z.int(), problems: z.array(z.string()) })),
  not_read: z.looseObject({ errors: z.array(z.unknown()), unrecognised: z.array(z.string()) }),
});
const Line = z.looseObject({ row_type: z.string(), row_id: z.string() });

function codeByManifest({ inputs, not_read }: z.infer<typeof Told>): number {
  if (inputs.length === 0 && not_read.errors.length === 0) return 3;
  const doubt = inputs.some(({ status, problems }) => problems.length > 0 || status === 'partly_read' || status === 'unread');
  return doubt || not_read.errors.length > 0 || not_read.unrecognised.length > 0 ? 1 : 0;
}

/** Small files of as many stores as there are; one of each. */
export function homeOf(corpus: Corpus, most: number): HomeFile[] {
  const files = [...corpus.byStore.values()].flatMap((found) => {
    const file = found.find(
      ({ found: { artifact }, bytes }) => bytes.length < most && artifact.file.startsWith('home/') && !artifact.file.includes('\\'),
    );
    return file === undefined ? [] : [{ name: file.found.artifact.file, bytes: file.bytes }];
  });
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

export class Commands {
  private readonly row = schemaOf('row');
  private readonly manifest = schemaOf('manifest');
  private number = 0;

  constructor(
    private readonly folder: string,
    private readonly home: readonly HomeFile[],
  ) {}

  /** Throws for the first promise that is broken. */
  check({ evidence, format, workers, wrong }: CommandPlan): void {
    const own = join(this.folder, `run-${this.number++}`);
    const [out, scratch, given] = [join(own, 'out'), join(own, 'scratch'), join(own, 'given')];
    for (const folder of [out, scratch]) mkdirSync(folder, { recursive: true });
    const path = layDown(this.home, evidence, given);
    const before = stateOf(given);
    const file = join(out, format === 'csv' ? 'x.csv' : 'x.jsonl');
    const more = WRONG[wrong] ?? [];
    const args = [path, '-q', '-f', format, '-o', file, '--scratch', scratch, '--workers', String(workers), ...more];
    const { code, stderr } = kirotrail(args);
    if (/\n\s+at |internal fault|node:internal/.test(stderr)) throw new Error(`says: ${stderr}`);
    if (stateOf(given).join('\n') !== before.join('\n')) throw new Error('the evidence was changed');
    if (readdirSync(scratch).length > 0) throw new Error('something is left in the scratch folder');
    const left = readdirSync(out).sort();
    const name = file.slice(out.length + 1);
    if (more.length > 0) {
      if (code !== 2 || left.length > 0) throw new Error(`wrong usage (${more.join(' ')}): code ${code}, left ${left.join()}`);
    } else {
      if (left.join() !== [name, `${name}.manifest.json`].join()) throw new Error(`code ${code}, left ${left.join()}, says: ${stderr}`);
      if (stderr !== '') throw new Error(`says: ${stderr}`);
      this.checkOutput(readFileSync(file, 'utf8'), readFileSync(`${file}.manifest.json`, 'utf8'), format, code);
    }
    rmSync(own, { recursive: true, force: true });
  }

  private checkOutput(text: string, manifestText: string, format: CommandPlan['format'], code: number | null): void {
    const document: unknown = JSON.parse(manifestText);
    hold(this.manifest, document);
    const told = Told.parse(document);
    const right = codeByManifest(told);
    if (code !== right) throw new Error(`code ${code}, where the manifest says ${right}`);
    const types = this.typesOf(text, format);
    const counted = told.inputs.reduce((sum, { rows }) => sum + rows, 0) + told.not_read.errors.length;
    if (types.length !== counted) throw new Error(`${types.length} rows, where the manifest counts ${counted}`);
    // A row says of each part that it could not be read; no row says so where all was read.
    if (types.includes('error') !== (told.not_read.errors.length > 0 || told.inputs.some(({ problems }) => problems.length > 0)))
      throw new Error('error rows and problems of the manifest do not agree');
  }

  private typesOf(text: string, format: CommandPlan['format']): string[] {
    if (format === 'csv') {
      const records: unknown = parse(text, { columns: true });
      return z
        .array(z.looseObject({ row_type: z.string() }))
        .parse(records)
        .map((row) => row.row_type);
    }
    const lines = text
      .split('\n')
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line));
    if (format === 'jsonl') for (const line of lines) hold(this.row, line);
    const rows =
      format === 'ecs'
        ? lines.map((line) => z.looseObject({ kirotrail: Line }).parse(line).kirotrail)
        : lines.map((line) => Line.parse(line));
    if (new Set(rows.map((row) => row.row_id)).size !== rows.length) throw new Error('two rows have one id');
    return rows.map((row) => row.row_type);
  }
}

function schemaOf(name: string): ValidateFunction {
  const schema: unknown = JSON.parse(kirotrail(['schema', name]).stdout.toString());
  return new Ajv2020({ strict: false }).compile(z.record(z.string(), z.unknown()).parse(schema));
}

function hold(validate: ValidateFunction, value: unknown): void {
  if (!validate(value)) throw new Error(`against the schema: ${JSON.stringify(validate.errors)}`);
}
