import type { InferredOptionTypes, Options } from 'yargs';
import { SECRET_POLICIES } from '../pipeline/options.js';
import { workersOf } from './arguments.js';

export const RULES = 'Rules:';
const EVIDENCE = 'Evidence:';

/** Options of every command that analyses evidence, or a timeline made before. */
export const analysisOptions = {
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

/** How these options have evidence read: every row is analysed, copies too. */
export function readingOf(args: InferredOptionTypes<typeof analysisOptions>) {
  return {
    format: 'jsonl',
    host: args.host,
    user: args.user,
    keepDuplicates: true,
    csv: { raw: false, bom: false },
    recover: args.recover,
    secrets: { policy: args.secrets, least: 'medium' },
    allFiles: args['all-files'],
    workers: workersOf(args.workers),
    scratch: args.scratch,
    argv: process.argv.slice(2),
  } as const;
}
