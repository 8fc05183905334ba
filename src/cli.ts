#!/usr/bin/env node
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { analyzeCommand, analyzeOptions } from './cli/analyze-command.js';
import { catalogCommand, catalogOptions } from './cli/catalog-command.js';
import { completions } from './cli/complete.js';
import { EPILOGUE } from './cli/epilogue.js';
import { EXIT } from './cli/exit-codes.js';
import { keepHeapsSmall } from './cli/heap.js';
import { mergeCommand, mergeOptions } from './cli/merge-command.js';
import { reportCommand, reportOptions } from './cli/report-command.js';
import { DOCUMENTS, schemaCommand } from './cli/schema-command.js';
import { timelineCommand, timelineOptions } from './cli/timeline-command.js';
import { verifyCommand, verifyOptions } from './cli/verify-command.js';
import { escapeUnsafe, messageOf } from './rows/problem.js';
import { VERSION } from './version.js';
import { UsageError } from './write/usage-error.js';

/** A message for people: one line on standard error, never raw evidence text. */
function say(message: string): void {
  process.stderr.write(`kirotrail: ${escapeUnsafe(message)}\n`);
}

const COMMANDS = {
  analyze: { options: analyzeOptions },
  report: { options: reportOptions },
  merge: { options: mergeOptions },
  verify: { options: verifyOptions },
  catalog: { options: catalogOptions },
  schema: { options: {}, words: DOCUMENTS },
  completion: { options: {} },
};

/** The line a shell asks about, as it stands in the arguments. */
const wordsOf = (argv: readonly string[]) => argv.slice(argv.indexOf('--get-yargs-completions') + 1);

async function main(): Promise<void> {
  keepHeapsSmall();
  const parser = yargs(hideBin(process.argv))
    .scriptName('kirotrail')
    .usage(
      '$0 <path>... [options]\n\n' +
        'One timeline of everything found: a home copy, a mounted disk with many homes, a project, one file, or - for standard input',
    )
    .parserConfiguration({ 'camel-case-expansion': false, 'greedy-arrays': false, 'parse-positional-numbers': false })
    .command(timelineCommand)
    .command(analyzeCommand)
    .command(reportCommand)
    .command(mergeCommand)
    .command(verifyCommand)
    .command(catalogCommand)
    .command(schemaCommand)
    .completion('completion', 'completion script for bash, or for zsh if $SHELL is one', () =>
      completions(wordsOf(process.argv), COMMANDS, { options: timelineOptions }),
    )
    .version(VERSION)
    .alias('version', 'V')
    .help()
    .alias('help', 'h')
    .strictOptions()
    .check(refuseRepeated, true)
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .epilogue(EPILOGUE)
    .fail((message, error) => {
      // What the parser itself objects to comes as its own kind of error, or as a text alone.
      if (error !== undefined && error !== null && error.name !== 'YError') throw error;
      throw new UsageError(`${(message || error?.message || '').replace(/\s*\n\s*/g, ' ')} (see kirotrail --help)`);
    });
  await parser.parseAsync();
}

const LISTS: readonly string[] = ['root', '_', '$0', 'session', 'project', 'rules'];

/** An option that takes one value and is given twice: taking either would leave out what the caller asked for. */
function refuseRepeated(args: Readonly<Record<string, unknown>>): true {
  const name = Object.keys(args).find((key) => key.length > 1 && !LISTS.includes(key) && Array.isArray(args[key]));
  if (name !== undefined) throw new UsageError(`--${name} is given more than once`);
  return true;
}

/** A reader that went away is not an error; a disk that is full is. */
function watchStreams(): void {
  const on = (stream: NodeJS.WriteStream) =>
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = EXIT.fault;
      if (stream !== process.stderr) say(`system error: ${messageOf(error)}`);
    });
  on(process.stdout);
  on(process.stderr);
}

/** A program whose work waits for something that can no longer come would end as if all were done. */
function watchEnd(): () => void {
  let done = false;
  process.on('exit', () => {
    if (done || process.exitCode !== undefined) return;
    say('internal fault: ended before its work was done');
    process.exitCode = EXIT.fault;
  });
  return () => (done = true);
}

watchStreams();
const end = watchEnd();
main().then(end, (error: unknown) => {
  const usage = error instanceof UsageError;
  const system = error instanceof Error && 'syscall' in error;
  say(usage ? error.message : `${system ? 'system error' : 'internal fault'}: ${messageOf(error)}`);
  if (!usage && process.env.KIROTRAIL_DEBUG !== undefined && error instanceof Error)
    process.stderr.write(`${escapeUnsafe(error.stack ?? '')}\n`);
  process.exitCode = usage ? EXIT.usage : EXIT.fault;
});
