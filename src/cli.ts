#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { catalogCommand } from './cli/catalog-command.js';
import { EXIT } from './cli/exit-codes.js';
import { timelineCommand } from './cli/timeline-command.js';
import { escapeUnsafe, messageOf } from './rows/problem.js';
import { VERSION } from './version.js';
import { UsageError } from './write/usage-error.js';

/** A message for people: one line on standard error, never raw evidence text. */
function say(message: string): void {
  process.stderr.write(`kirotrail: ${escapeUnsafe(message)}\n`);
}

async function main(): Promise<void> {
  const parser = yargs(hideBin(process.argv))
    .scriptName('kirotrail')
    .parserConfiguration({ 'camel-case-expansion': false, 'duplicate-arguments-array': false })
    .command(timelineCommand)
    .command(catalogCommand)
    .version(VERSION)
    .alias('version', 'V')
    .help()
    .alias('help', 'h')
    .strict()
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .epilogue(
      'Exit codes: 0 all evidence read in full; 1 done, but some evidence could not be read in full (rows and manifest name it);\n' +
        '2 wrong usage; 3 nothing found; 70 a fault of the program.\nEvidence is only read. No network is used.',
    )
    .fail((message, error) => {
      throw error ?? new UsageError(`${message} (see kirotrail --help)`);
    });
  await parser.parseAsync();
}

main().catch((error: unknown) => {
  const usage = error instanceof UsageError;
  say(usage ? error.message : `internal fault: ${messageOf(error)}`);
  if (!usage && process.env.KIROTRAIL_DEBUG !== undefined && error instanceof Error)
    process.stderr.write(`${escapeUnsafe(error.stack ?? '')}\n`);
  process.exitCode = usage ? EXIT.usage : EXIT.fault;
});
