import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { UsageError } from '../write/usage-error.js';
import { EXIT } from './exit-codes.js';

export const mergeOptions = {
  output: { alias: 'o', type: 'string', nargs: 1, default: '-', describe: 'the merged timeline; - is standard output' },
  force: { type: 'boolean', default: false, describe: 'replace an existing output file' },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'no summary' },
} satisfies Record<string, Options>;

type Arguments = InferredOptionTypes<typeof mergeOptions>;

/** Timelines of several runs as one. */
export const mergeCommand: CommandModule<object, Arguments> = {
  command: 'merge',
  describe: 'one timeline of the timelines of several runs or machines',
  builder: (yargs) =>
    yargs
      .usage('$0 merge <[name=]timeline.jsonl...> [options]\n\nThe name stands ahead of each source file; default: that of the file')
      .options(mergeOptions)
      .strictOptions()
      .example('$0 merge out/*/timeline.jsonl -o all.jsonl', 'as one run over all of them would have written it')
      .example('$0 merge lab=1.jsonl bob=2.jsonl -o all.jsonl', 'with names'),
  handler: mergeAll,
};

async function mergeAll(args: ArgumentsCamelCase<Arguments>): Promise<void> {
  const timelines = args._.slice(1).map(String);
  if (timelines.length === 0) throw new UsageError('merge: name timelines in JSONL (see kirotrail merge --help)');
  if (args.output === '') throw new UsageError('--output needs a file name');
  const [{ merge }, { escapeUnsafe }] = await Promise.all([import('../pipeline/merge.js'), import('../rows/problem.js')]);
  const { manifest, problems } = await merge({ timelines, output: args.output, force: args.force, argv: process.argv.slice(2) });
  const rows = manifest.outputs.reduce((sum, output) => sum + output.rows, 0);
  const broken = manifest.inputs.reduce((sum, input) => sum + input.broken_lines, 0);
  const lines = [
    ...problems.map(({ label, line, what }) => `left out: ${label}, line ${line}: ${what}`),
    `${manifest.inputs.length} timelines, ${rows} rows, ${manifest.repeats} of them repeat a row of an earlier timeline`,
    ...(broken > 0 ? [`${broken} lines were left out`] : []),
  ];
  if (!args.quiet || broken > 0) process.stderr.write(`${lines.map(escapeUnsafe).join('\n')}\n`);
  process.exitCode = rows === 0 && broken === 0 ? EXIT.nothing : broken > 0 ? EXIT.incomplete : EXIT.ok;
}
