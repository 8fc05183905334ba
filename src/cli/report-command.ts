import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { LEVELS } from '../analyze/hits.js';
import type { ReportOptions } from '../pipeline/report.js';
import { UsageError } from '../write/usage-error.js';
import { analysisOptions, RULES, readingOf } from './analysis-options.js';
import { timeOf } from './arguments.js';
import { EXIT } from './exit-codes.js';
import { makeProgress } from './progress.js';

const OUTPUT = 'Output:';
const SCOPE = 'Which rows:';

export const reportOptions = {
  output: { alias: 'o', type: 'string', nargs: 1, group: OUTPUT, describe: 'the page to write, for example report.html' },
  title: { type: 'string', nargs: 1, default: 'kirotrail report', group: OUTPUT, describe: 'title of the page' },
  'max-size': { type: 'number', nargs: 1, group: OUTPUT, describe: 'megabytes of one file; more goes into parts. Default: 110' },
  single: { type: 'boolean', default: false, group: OUTPUT, describe: 'one file in any case, and say what it needs' },
  text: { type: 'boolean', default: true, group: OUTPUT, describe: '--no-text leaves the texts out: commands, times and decisions only' },
  force: { type: 'boolean', default: false, group: OUTPUT, describe: 'replace an existing page and its parts' },
  session: { type: 'string', array: true, group: SCOPE, describe: 'only this session id' },
  project: { type: 'string', array: true, group: SCOPE, describe: 'only projects that match this glob' },
  since: { type: 'string', nargs: 1, group: SCOPE, describe: 'from this time on (RFC 3339, or a date in UTC)' },
  until: { type: 'string', nargs: 1, group: SCOPE, describe: 'up to this time, exclusive' },
  'keep-undated': { type: 'boolean', default: false, group: SCOPE, describe: 'with --since or --until: keep rows without a time' },
  level: { choices: LEVELS, default: 'low' as const, group: RULES, describe: 'lowest level of findings; info is counted per session' },
  ...analysisOptions,
} satisfies Record<string, Options>;

type Arguments = InferredOptionTypes<typeof reportOptions>;

/** One offline page over a timeline made before, or over evidence. */
export const reportCommand: CommandModule<object, Arguments> = {
  command: 'report',
  describe: 'one offline page: sessions, findings, and every row to search and cite',
  builder: (yargs) =>
    yargs
      .usage('$0 report <evidence...|timeline.jsonl> -o report.html [options]')
      .options(reportOptions)
      .strictOptions()
      .example('$0 report /mnt/image/home -o report.html', 'a page over everything found')
      .example('$0 report timeline.jsonl -o may.html --since 2025-05-01 --until 2025-06-01', 'one month of a timeline'),
  handler: writeReportPage,
};

async function writeReportPage(args: ArgumentsCamelCase<Arguments>): Promise<void> {
  const given = askedOf(args);
  // Loaded only now: the help answers without the database library.
  const [{ report }, { reportLines }] = await Promise.all([import('../pipeline/report.js'), import('./report-summary.js')]);
  const progress = makeProgress(args.quiet);
  const result = await report({ ...given, run: { ...given.run, progress: progress.show } });
  progress.clear();
  const clean = result.run?.clean ?? ((text: string) => text);
  if (!args.quiet || result.written === undefined) process.stderr.write(`${reportLines(result).map(clean).join('\n')}\n`);
  process.exitCode = result.written === undefined ? EXIT.nothing : result.incomplete ? EXIT.incomplete : EXIT.ok;
}

const MB = 1_000_000;
/** Script and style and a little more: nothing smaller could be a page. */
const LEAST_SIZE = 2;
const MOST_SIZE = 2000;

function askedOf(args: ArgumentsCamelCase<Arguments>): ReportOptions {
  const paths = args._.slice(1).map(String);
  if (paths.length === 0) throw new UsageError('report: name evidence, or a timeline in JSONL (see kirotrail report --help)');
  if (args.output === undefined || args.output === '' || args.output === '-')
    throw new UsageError('report: name the page to write with -o FILE');
  const size = args['max-size'];
  if (size !== undefined && !(size >= LEAST_SIZE && size <= MOST_SIZE))
    throw new UsageError(`--max-size: megabytes, from ${LEAST_SIZE} to ${MOST_SIZE}`);
  if (size !== undefined && args.single) throw new UsageError('--max-size and --single say opposite things: give one of them');
  return {
    run: {
      ...readingOf(args),
      paths,
      output: args.output,
      force: args.force,
      filter: {
        since: timeOf('--since', args.since),
        until: timeOf('--until', args.until),
        keepUndated: args['keep-undated'],
        rowTypes: [],
        sessions: args.session ?? [],
        projects: args.project ?? [],
      },
    },
    title: args.title,
    single: args.single,
    texts: args.text,
    maxBytes: size === undefined ? undefined : size * MB,
    level: args.level,
    rulesFiles: args.rules ?? [],
    suppressFile: args.suppress,
  };
}
