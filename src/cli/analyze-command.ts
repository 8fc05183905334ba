import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { LEVELS } from '../analyze/hits.js';
import { SECRET_POLICIES } from '../pipeline/options.js';
import { UsageError } from '../write/usage-error.js';
import { EXIT } from './exit-codes.js';
import { paintFinding, paintFor } from './paint.js';
import { makeProgress } from './progress.js';

const OUTPUT = 'Output:';
const RULES = 'Rules:';
const EVIDENCE = 'Evidence:';

export const analyzeOptions = {
  output: {
    alias: 'o',
    type: 'string',
    nargs: 1,
    group: OUTPUT,
    describe: 'folder for sessions and findings as JSONL and CSV, and for the timeline of evidence; default: a summary on the terminal',
  },
  force: { type: 'boolean', default: false, group: OUTPUT, describe: 'replace existing output files' },
  level: { choices: LEVELS, default: 'low' as const, group: RULES, describe: 'lowest level that is listed; info is counted per session' },
  rules: { type: 'string', array: true, group: RULES, describe: 'further rules: YAML of the form in docs/rules.md, or Sigma' },
  suppress: { type: 'string', nargs: 1, group: RULES, describe: 'YAML list of what is known to be good, with reasons' },
  secrets: { choices: SECRET_POLICIES, default: 'redact' as const, group: EVIDENCE, describe: 'as for a timeline' },
  recover: { type: 'boolean', default: true, group: EVIDENCE, describe: '--no-recover leaves deleted space of databases alone' },
  host: { type: 'string', nargs: 1, default: '', group: EVIDENCE, describe: 'name for the host column' },
  user: { type: 'string', nargs: 1, default: '', group: EVIDENCE, describe: 'name for the user column; default: the owner of each home' },
  'all-files': { type: 'boolean', default: false, group: EVIDENCE, describe: 'also search node_modules, caches and the like' },
  workers: { type: 'number', group: EVIDENCE, describe: 'reading threads; default: by the size of the evidence' },
  scratch: { type: 'string', nargs: 1, group: EVIDENCE, describe: 'folder for private copies; default: the system temporary folder' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'no summary and no progress' },
} satisfies Record<string, Options>;

type Arguments = InferredOptionTypes<typeof analyzeOptions>;

/** Sessions and findings of evidence, or of a timeline made before. */
export const analyzeCommand: CommandModule<object, Arguments> = {
  command: 'analyze',
  describe: 'what was done in each session, and the rows that deserve a look',
  builder: (yargs) =>
    yargs
      .usage('$0 analyze <evidence...|timeline.jsonl> [options]')
      .options(analyzeOptions)
      .strictOptions()
      .example('$0 analyze /mnt/image/home', 'a summary on the terminal')
      .example('$0 analyze timeline.jsonl -o case', 'tables in the folder case'),
  handler: analyzeEvidence,
};

async function analyzeEvidence(args: ArgumentsCamelCase<Arguments>): Promise<void> {
  const paths = args._.slice(1).map(String);
  if (paths.length === 0) throw new UsageError('analyze: name evidence, or a timeline in JSONL (see kirotrail analyze --help)');
  if (args.output === '') throw new UsageError('--output needs a folder name');
  if (args.workers !== undefined && (!Number.isInteger(args.workers) || args.workers < 0 || args.workers > 64))
    throw new UsageError('--workers: a whole number from 0 to 64');
  // Loaded only now: the help answers without the database library.
  const [{ analyze }, { analysisLines }] = await Promise.all([import('../pipeline/analyze.js'), import('./analyze-summary.js')]);
  const progress = makeProgress(args.quiet);
  const result = await analyze({
    run: {
      paths,
      output: '-',
      format: 'jsonl',
      force: args.force,
      host: args.host,
      user: args.user,
      filter: { since: undefined, until: undefined, keepUndated: false, rowTypes: [], sessions: [], projects: [] },
      keepDuplicates: true,
      csv: { raw: false, bom: false },
      recover: args.recover,
      secrets: { policy: args.secrets, least: 'medium' },
      allFiles: args['all-files'],
      workers: args.workers,
      scratch: args.scratch,
      argv: process.argv.slice(2),
      progress: progress.show,
    },
    folder: args.output,
    level: args.level,
    rulesFiles: args.rules ?? [],
    suppressFile: args.suppress,
  });
  progress.clear();
  const clean = result.run?.clean ?? ((text: string) => text);
  const paint = paintFor(args.output === undefined ? process.stdout : process.stderr);
  const lines = analysisLines(result, args.output).map(clean);
  const text = `${lines.map((line) => paintFinding(line, paint)).join('\n')}\n`;
  // Without tables the summary is the result; beside them it is a message.
  if (args.output === undefined) process.stdout.write(text);
  else if (!args.quiet) process.stderr.write(text);
  const nothing = result.run?.nothing ?? (result.analysis.rows === 0 && result.broken === 0);
  process.exitCode = nothing ? EXIT.nothing : result.incomplete ? EXIT.incomplete : EXIT.ok;
}
