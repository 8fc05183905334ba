import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { CSV_PRESETS, FORMATS, type Format, type RunOptions, SECRET_POLICIES, SHEET_ROWS, SPLITS } from '../pipeline/options.js';
import { ROW_TYPES, type RowType } from '../rows/row-types.js';
import { atLeast, CONFIDENCES } from '../secrets/types.js';
import { UsageError } from '../write/usage-error.js';
import { timeOf, workersOf } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { paintFor, paintSummary } from './paint.js';
import { makeProgress } from './progress.js';
import { summaryLines } from './summary.js';

const OUTPUT = 'Output:';
const SECRETS = 'Secrets:';
const SCOPE = 'Which rows:';
const EVIDENCE = 'Evidence:';

export const timelineOptions = {
  output: { alias: 'o', type: 'string', nargs: 1, default: '-', group: OUTPUT, describe: 'file to write, or - for standard output' },
  format: { alias: 'f', nargs: 1, choices: FORMATS, group: OUTPUT, describe: 'by the extension of -o, else csv' },
  manifest: {
    type: 'string',
    nargs: 1,
    group: OUTPUT,
    describe: 'manifest file; default: <output>.manifest.json, none on standard output',
  },
  force: { type: 'boolean', default: false, group: OUTPUT, describe: 'replace existing output files' },
  split: { nargs: 1, choices: SPLITS, group: OUTPUT, describe: 'one file for each user or agent: name-alice.jsonl, name-bob.jsonl, ...' },
  'csv-raw': { type: 'boolean', default: false, group: OUTPUT, describe: 'CSV cells exactly as stored: no formula guard, no cell limit' },
  'csv-preset': {
    nargs: 1,
    choices: CSV_PRESETS,
    group: OUTPUT,
    describe: 'excel: byte order mark, CRLF, guard within texts, at most 1,048,575 rows a file (name.csv, name-2.csv, ...)',
  },
  'csv-split': { type: 'number', nargs: 1, group: OUTPUT, describe: 'at most this many rows a file: name.csv, name-2.csv, ...' },
  'csv-bom': { type: 'boolean', default: false, group: OUTPUT, describe: 'begin the CSV with a byte order mark (Excel)' },
  secrets: {
    choices: SECRET_POLICIES,
    default: 'redact' as const,
    group: SECRETS,
    describe: 'mask secrets, show texts as stored, mask identifiers too, or do not scan',
  },
  'secrets-min': { choices: CONFIDENCES, default: 'medium' as const, group: SECRETS, describe: 'list findings from this confidence on' },
  'secret-rules': { type: 'string', group: SECRETS, describe: 'further rules, in the gitleaks TOML form' },
  'secrets-sarif': { type: 'string', group: SECRETS, describe: 'write the findings as SARIF 2.1.0, without values' },
  'fingerprint-key': { type: 'string', group: SECRETS, describe: 'key file that makes fingerprints comparable over cases' },
  'fail-on-secrets': { type: 'boolean', default: false, group: SECRETS, describe: 'exit 5 when a secret was found' },
  since: { type: 'string', nargs: 1, group: SCOPE, describe: 'from this time on (RFC 3339, or a date in UTC)' },
  until: { type: 'string', nargs: 1, group: SCOPE, describe: 'up to this time, exclusive' },
  'keep-undated': { type: 'boolean', default: false, group: SCOPE, describe: 'with --since or --until: keep rows without a time' },
  'row-type': { type: 'string', nargs: 1, group: SCOPE, describe: 'only these row types, joined by commas' },
  session: { type: 'string', array: true, group: SCOPE, describe: 'only this session id' },
  project: { type: 'string', array: true, group: SCOPE, describe: 'only projects that match this glob' },
  recover: { type: 'boolean', default: true, group: SCOPE, describe: '--no-recover leaves deleted space of databases alone' },
  duplicates: { type: 'boolean', default: true, group: SCOPE, describe: '--no-duplicates leaves out rows that another row already says' },
  host: { type: 'string', nargs: 1, default: '', group: EVIDENCE, describe: 'name for the host column' },
  user: { type: 'string', nargs: 1, default: '', group: EVIDENCE, describe: 'name for the user column; default: the owner of each home' },
  'all-files': { type: 'boolean', default: false, group: EVIDENCE, describe: 'also search node_modules, caches and the like' },
  workers: { type: 'number', group: EVIDENCE, describe: 'reading threads; default: by the size of the evidence, 0 for one thread alone' },
  scratch: {
    type: 'string',
    nargs: 1,
    group: EVIDENCE,
    describe: 'folder for private copies of databases; default: the system temporary folder',
  },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'no summary and no progress' },
} satisfies Record<string, Options>;

export const timelineExamples: readonly (readonly [command: string, meaning: string])[] = [
  ['$0 /mnt/image/home -o timeline.csv', 'every home below, as CSV'],
  ['$0 saved-chat.md -o chat.jsonl', 'one /save export'],
  ['$0 home --row-type permission,tool_use -o - | less', 'what was done and who allowed it'],
  ['$0 home --csv-preset excel -o case.csv', 'for a spreadsheet'],
  ['$0 home -f timesketch -o case.jsonl', 'for Timesketch'],
  ['$0 analyze home -o case', 'sessions and findings'],
];

type Arguments = InferredOptionTypes<typeof timelineOptions>;

/** The main job. */
export const timelineCommand: CommandModule<object, Arguments> = {
  command: '$0',
  describe: false,
  builder: (yargs) => yargs.options(timelineOptions).example(timelineExamples.map(([command, meaning]) => [command, meaning])),
  handler: timeline,
};

async function timeline(args: ArgumentsCamelCase<Arguments>): Promise<void> {
  // Loaded only now: the help answers without the database library.
  const { run } = await import('../pipeline/run.js');
  const progress = makeProgress(args.quiet);
  const result = await run({ ...runOptions(args), progress: progress.show });
  progress.clear();
  const paint = paintFor(process.stderr);
  if (!args.quiet)
    process.stderr.write(
      `${summaryLines(result, args.output)
        .map((line) => paintSummary(line, paint))
        .join('\n')}\n`,
    );
  if (args.secrets === 'show' && !result.nothing) process.stderr.write('warning: the output holds secrets as stored (--secrets show)\n');
  const found = args['fail-on-secrets'] && foundSecrets(result.manifest.secrets.found);
  process.exitCode = found ? EXIT.secrets : result.nothing ? EXIT.nothing : result.incomplete ? EXIT.incomplete : EXIT.ok;
}

/** Counts are kept by `rule class confidence`. */
function foundSecrets(found: Readonly<Record<string, number>>): boolean {
  return Object.keys(found).some((key) => {
    const [, kind, confidence] = key.split(' ');
    const known = CONFIDENCES.find((name) => name === confidence);
    return kind === 'secret' && known !== undefined && atLeast(known, 'medium');
  });
}

function runOptions(args: ArgumentsCamelCase<Arguments>): RunOptions {
  // Not a positional of the parser: that one loses `-` where it does not stand alone.
  const paths = args._.map(String);
  if (paths.length === 0) throw new UsageError('name at least one path, or - for standard input (see kirotrail --help)');
  if (args['fail-on-secrets'] && args.secrets === 'off') throw new UsageError('--fail-on-secrets needs a scan: not with --secrets off');
  if (args.output === '') throw new UsageError('--output needs a file name, or - for standard output');
  const format = args.format ?? formatOf(args.output);
  if (format === 'timesketch' && args.output !== '-' && !args.output.endsWith('.jsonl'))
    throw new UsageError(`--format timesketch: the importer takes JSON lines only from a file named *.jsonl, not ${args.output}`);
  const csvOnly = (['csv-preset', 'csv-split'] as const).find((name) => format !== 'csv' && args[name] !== undefined);
  if (csvOnly !== undefined) throw new UsageError(`--${csvOnly} is for CSV, not for ${format}`);
  return {
    paths,
    output: args.output,
    format,
    manifest: args.manifest,
    force: args.force,
    split: args.split,
    host: args.host,
    user: args.user,
    filter: {
      since: timeOf('--since', args.since),
      until: timeOf('--until', args.until),
      keepUndated: args['keep-undated'],
      rowTypes: rowTypesOf(args['row-type']),
      sessions: args.session ?? [],
      projects: args.project ?? [],
    },
    keepDuplicates: args.duplicates,
    csv: csvOf(args),
    recover: args.recover,
    secrets: {
      policy: args.secrets,
      least: args['secrets-min'],
      rulesFile: args['secret-rules'],
      keyFile: args['fingerprint-key'],
      sarif: args['secrets-sarif'],
    },
    allFiles: args['all-files'],
    workers: workersOf(args.workers),
    scratch: args.scratch,
    argv: process.argv.slice(2),
  };
}

function csvOf(args: Arguments): RunOptions['csv'] {
  const excel = args['csv-preset'] === 'excel';
  if (excel && args['csv-raw']) throw new UsageError('--csv-preset excel guards its cells: not with --csv-raw');
  const split = args['csv-split'];
  if (split !== undefined && (!Number.isInteger(split) || split < 1)) throw new UsageError('--csv-split: a whole number from 1 on');
  return { raw: args['csv-raw'], bom: args['csv-bom'], excel, rowsPerFile: split ?? (excel ? SHEET_ROWS : undefined) };
}

function formatOf(output: string): Format {
  return /\.(jsonl|ndjson)$/i.test(output) ? 'jsonl' : 'csv';
}

const isRowType = (name: string): name is RowType => Object.hasOwn(ROW_TYPES, name);

function rowTypesOf(value: string | undefined): RowType[] {
  const names = (value ?? '').split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !isRowType(name));
  if (unknown !== undefined) throw new UsageError(`--row-type: unknown row type ${unknown} (known: ${Object.keys(ROW_TYPES).join(', ')})`);
  return names.filter(isRowType);
}
