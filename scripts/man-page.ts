import type { Options } from 'yargs';
import { analyzeOptions } from '../src/cli/analyze-command.js';
import { EPILOGUE } from '../src/cli/epilogue.js';
import { timelineExamples, timelineOptions } from '../src/cli/timeline-command.js';

/** Text for troff: nothing in it is taken for a request or an escape. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}

/** `man/kirotrail.1`, from the options of the commands. */
export function manPage(version: string): string {
  return [
    '.\\" Made by `npm run docs`; do not edit.',
    `.TH KIROTRAIL 1 "" "kirotrail ${version}" "User Commands"`,
    '.SH NAME',
    'kirotrail \\- forensic timeline of what Amazon Q Developer CLI, Kiro CLI and Kiro IDE leave on disk',
    '.SH SYNOPSIS',
    ...['PATH... [OPTIONS]', 'analyze PATH... [OPTIONS]', 'catalog [\\-\\-format FORMAT]', 'schema [DOCUMENT]', 'completion'].flatMap(
      (usage) => ['.B kirotrail', usage, '.br'],
    ),
    '.SH DESCRIPTION',
    roff(
      'Reads evidence (a home copy, a mounted disk with many homes, a project, one file, or - for standard input) and writes one timeline of every prompt, ' +
        'answer, tool call, result, approval and refusal, each row with file, place and hash. Evidence is only read; no network is used.',
    ),
    '.SH OPTIONS',
    ...optionLines(timelineOptions),
    '.SH KIROTRAIL ANALYZE',
    roff('Sessions and findings of evidence, or of a timeline in JSONL made before.'),
    ...optionLines(analyzeOptions),
    '.SH KIROTRAIL CATALOG',
    roff(
      'The stores it knows, what each proves, and how well it is understood. --format: text, json, or for engines that collect velociraptor, kape, forensicartifacts.',
    ),
    '.SH KIROTRAIL SCHEMA',
    roff('JSON Schema of what is written: row, session, finding or manifest.'),
    '.SH KIROTRAIL COMPLETION',
    roff('A completion script for bash, or for zsh if $SHELL is one: kirotrail completion >> ~/.bashrc'),
    '.SH EXIT STATUS',
    roff(EPILOGUE),
    '.SH ENVIRONMENT',
    '.TP',
    '.B NO_COLOR',
    roff('No colour; the same for TERM=dumb, and wherever the output is no terminal.'),
    '.TP',
    '.B SOURCE_DATE_EPOCH',
    roff('Seconds that stand in the manifest for the time of the run.'),
    '.SH EXAMPLES',
    ...timelineExamples.flatMap(([command, meaning]) => ['.TP', `.B ${roff(command.replace('$0', 'kirotrail'))}`, roff(meaning)]),
    '',
  ].join('\n');
}

function optionLines(options: Readonly<Record<string, Options>>): string[] {
  const groups = [...new Set(['', ...Object.values(options).map((option) => option.group ?? '')])];
  return groups.flatMap((group) => [
    ...(group === '' ? [] : [`.SS ${group.replace(/:$/, '')}`]),
    ...Object.entries(options)
      .filter(([, option]) => (option.group ?? '') === group)
      .flatMap(([name, option]) => ['.TP', `.B ${headOf(name, option)}`, roff(textOf(option))]),
  ]);
}

function headOf(name: string, { alias, type, choices }: Options): string {
  const value = type === 'boolean' ? '' : ` ${choices === undefined ? (type === 'number' ? 'N' : 'VALUE') : choices.join('|')}`;
  return `${typeof alias === 'string' ? `\\-${alias}, ` : ''}\\-\\-${roff(name)}${roff(value)}`;
}

function textOf({ describe, default: value }: Options): string {
  const shown = value === undefined || value === '' || typeof value === 'boolean' ? '' : ` Default: ${String(value)}.`;
  const text = typeof describe === 'string' ? describe : '';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.${shown}`;
}
