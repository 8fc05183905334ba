import type { ArgumentsCamelCase, CommandModule, InferredOptionTypes, Options } from 'yargs';
import { UsageError } from '../write/usage-error.js';
import { EXIT } from './exit-codes.js';

export const verifyOptions = {
  root: {
    type: 'string',
    array: true,
    describe: 'where the evidence lies now, once for each root of the manifest; default: where it lay then',
  },
  quiet: { alias: 'q', type: 'boolean', default: false, describe: 'only what differs' },
} satisfies Record<string, Options>;

type Arguments = InferredOptionTypes<typeof verifyOptions>;

/** Are the files that a manifest names still the ones it names? */
export const verifyCommand: CommandModule<object, Arguments> = {
  command: 'verify',
  describe: 'hash again what a manifest names, and say what differs',
  builder: (yargs) =>
    yargs
      .usage('$0 verify <manifest.json> [options]\n\nIntegrity, not authenticity: whoever can change a file can change a manifest')
      .options(verifyOptions)
      .strictOptions()
      .example('$0 verify timeline.jsonl.manifest.json', 'evidence and timeline where they were')
      .example('$0 verify timeline.jsonl.manifest.json --root /mnt/copy', 'the evidence was moved'),
  handler: verifyManifest,
};

async function verifyManifest(args: ArgumentsCamelCase<Arguments>): Promise<void> {
  const [manifest, ...more] = args._.slice(1).map(String);
  if (manifest === undefined || more.length > 0) throw new UsageError('verify: name one manifest (see kirotrail verify --help)');
  const [{ verify }, { escapeUnsafe }] = await Promise.all([import('../pipeline/verify.js'), import('../rows/problem.js')]);
  const counts = { input: new Map<string, number>(), output: new Map<string, number>() };
  for (const { kind, path, verdict, why } of verify({ manifest, roots: args.root ?? [] })) {
    counts[kind].set(verdict, (counts[kind].get(verdict) ?? 0) + 1);
    if (verdict !== 'same')
      process.stdout.write(`${verdict}: ${kind} ${escapeUnsafe(path)}${why === '' ? '' : ` (${escapeUnsafe(why)})`}\n`);
  }
  const said = (kind: 'input' | 'output') =>
    [...counts[kind]]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([verdict, n]) => `${n} ${verdict}`)
      .join(', ') || 'none';
  if (!args.quiet) process.stdout.write(`inputs: ${said('input')}; outputs: ${said('output')}\n`);
  const differs = [counts.input, counts.output].some((of) => of.has('changed') || of.has('missing'));
  process.exitCode = differs ? EXIT.incomplete : EXIT.ok;
}
