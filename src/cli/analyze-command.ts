import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { LEVELS } from '../analyze/hits.js';
import { UsageError } from '../write/usage-error.js';
import { analysisOptions, RULES, readingOf } from './analysis-options.js';
import { EXIT } from './exit-codes.js';
import { paintFinding, paintFor } from './paint.js';
import { makeProgress } from './progress.js';

const OUTPUT = 'Output:';

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
  ...analysisOptions,
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
  // Loaded only now: the help answers without the database library.
  const [{ analyze }, { analysisLines }] = await Promise.all([import('../pipeline/analyze.js'), import('./analyze-summary.js')]);
  const progress = makeProgress(args.quiet);
  const result = await analyze({
    run: {
      ...readingOf(args),
      paths,
      output: '-',
      force: args.force,
      filter: { since: undefined, until: undefined, keepUndated: false, rowTypes: [], sessions: [], projects: [] },
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
