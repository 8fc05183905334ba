import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/progress.js';
import { CLI, copyHome, kirotrail, manifestOf, saveExport, shell, testFolder, writeFileDeep } from '../support/cli.js';
import { have } from '../support/peers.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const MAN = fileURLToPath(new URL('../../man/kirotrail.1', import.meta.url));

beforeAll(() => {
  copyHome(at('home'));
  // A name that would clear the screen, set a title and turn the text around.
  writeFileDeep(at('home/exports/\u001b[2J\u001b]0;owned\u0007\u202egpj.json'), `${saveExport('x', [['a', 'b']]).slice(0, -40)}`);
});

/** What a person sees: the program at a terminal of its own. */
function terminal(args: string, env: Readonly<Record<string, string>> = {}): string {
  const { NO_COLOR, ...rest } = process.env;
  const run = spawnSync('script', ['-qec', `${process.execPath} ${CLI} ${args}`, '/dev/null'], {
    encoding: 'utf8',
    env: { ...rest, TERM: 'xterm', ...env },
    timeout: 60_000,
  });
  return run.stdout;
}

const COLOUR = /\u001b\[\d+m/;
/** Everything that acts on a terminal, but for our own colours and the one changing line. */
const withoutOurs = (text: string) => text.replaceAll(/\u001b\[(?:1|2|22|31|33|32|39)m|\r\u001b\[2K|\r\n/g, '');
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('the summary at the end of a run', () => {
  it('tells files by store, rows by type, span, undated, recovered, gaps, secrets and problems', () => {
    const { stderr } = kirotrail([at('home'), '-o', at('x.jsonl')]);
    const { counts, inputs, secrets } = manifestOf(at('x.jsonl.manifest.json'));
    expect(stderr).toContain(`${inputs.length} sources read, ${counts.rows} rows written to`);
    expect(stderr).toContain('  sources   ai-dlc-audit 1, ');
    expect(stderr).toContain(`prompt ${counts.by_type.prompt}, `);
    expect(stderr).toContain(`  span      ${counts.first_utc} to ${counts.last_utc}\n`);
    expect(stderr).toContain(`  undated   ${counts.undated}\n`);
    expect(stderr).toContain(`  copies    ${counts.recovered} recovered, ${counts.duplicates} duplicates\n`);
    expect(stderr).toContain(`  gaps      ${counts.by_type.gap}\n`);
    expect(stderr).toContain(`  secrets   ${Object.values(secrets.found).reduce((sum, n) => sum + n, 0)} found, redact\n`);
    expect(stderr).toMatch(/ {2}problems {2}\d+\n/);
    expect(stderr).not.toMatch(ACTS);
  });

  it.runIf(have('script'))('is coloured at a terminal, and nowhere else', () => {
    const shown = terminal(`${at('home/exports')} -o ${at('t.jsonl')}`);
    expect(shown).toMatch(COLOUR);
    expect(shown).toMatch(/\u001b\[2m {2}problems {2}\u001b\[22m\u001b\[31m\d+\u001b\[39m/);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
      expect(terminal(`${at('home/exports')} -o ${at('t.jsonl')} --force`, env)).not.toMatch(COLOUR);
    expect(terminal(`${at('home/exports')} -o ${at('t.jsonl')} --force 2>${at('log')}`)).not.toMatch(COLOUR);
    expect(readFileSync(at('log'), 'utf8')).not.toMatch(COLOUR);
    expect(terminal(`${at('home/exports')} -o ${at('t.jsonl')} --force -q`)).toBe('');
    expect(terminal(`analyze ${at('home/exports')}`)).toMatch(COLOUR);
    expect(terminal(`analyze ${at('home/exports')} | cat`)).not.toMatch(COLOUR);
  });

  it.runIf(have('script'))('hands nothing of the evidence to the terminal that it could act on', () => {
    for (const args of [`${at('home/exports')} -o ${at('u.jsonl')}`, `analyze ${at('home/exports')}`]) {
      const shown = terminal(args);
      expect(withoutOurs(shown)).not.toMatch(ACTS);
      expect(shown).not.toContain(']0;owned\u0007');
    }
    expect(terminal(`${at('home/exports')} -o ${at('u.jsonl')} --force`)).toContain('\\u{1b}[2J');
  });
});

describe('progress', () => {
  const state = { phase: 'read', file: 'a/\u001b[2Jb', done: 3, of: 10, bytes: 40e6, ofBytes: 100e6 } as const;

  it('tells what is read; after a while how fast, and how long it may take', () => {
    expect(progressLine(state, 500)).toBe('reading 3 of 10: a/\\u{1b}[2Jb');
    expect(progressLine(state, 4000)).toBe('reading 3 of 10, 40 of 100 MB, 10 MB/s, about 6 s left: a/\\u{1b}[2Jb');
    expect(progressLine({ ...state, ofBytes: 1e9 }, 40_000)).toContain('1.0 MB/s, about 16 min left');
    expect(progressLine({ ...state, ofBytes: 10e9 }, 40_000)).toContain('about 2 h 46 min left');
    expect(progressLine({ ...state, bytes: 0 }, 9000)).toBe('reading 3 of 10: a/\\u{1b}[2Jb');
    expect(progressLine({ ...state, phase: 'write', done: 5, of: 9 }, 9000)).toBe('writing 5 of 9 rows');
  });

  it.runIf(have('script'))('stands on one line at a terminal, and not at a dumb one', () => {
    expect(terminal(`${at('home/exports')} -o ${at('v.jsonl')}`)).toContain('\r\u001b[2Kreading ');
    expect(terminal(`${at('home/exports')} -o ${at('v.jsonl')} --force`, { TERM: 'dumb' })).not.toContain('reading ');
    expect(terminal(`${at('home/exports')} -o ${at('v.jsonl')} --force --workers 2`)).toContain('\r\u001b[2Kreading ');
  });
});

describe('completion', () => {
  it.runIf(have('bash'))('gives bash a script that completes options and commands, and leaves paths to the shell', () => {
    writeFileDeep(at('bin/kirotrail'), `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`);
    chmodSync(at('bin/kirotrail'), 0o755);
    const complete = (...words: string[]) => {
      const line = [
        'source <(kirotrail completion)',
        `COMP_WORDS=(${['kirotrail', ...words].map((word) => `'${word}'`).join(' ')})`,
        `COMP_CWORD=${words.length}`,
        '_kirotrail_yargs_completions',
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ];
      const run = spawnSync('bash', ['-c', line.join('\n')], {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, SHELL: '/bin/bash' },
      });
      expect(run.stderr).toBe('');
      return run.stdout.split('\n').filter(Boolean);
    };
    expect(complete('cat')).toEqual(['catalog']);
    expect(complete('--csv-p')).toEqual(['--csv-preset']);
    expect(complete('analyze', '--lev')).toEqual(['--level']);
    expect(complete('home', '-f', 'time')).toEqual(['timesketch']);
    expect(complete('schema', 'man')).toEqual(['manifest']);
    expect(complete('catalog', '--format', 'k')).toEqual(['kape']);
    expect(complete('/mn')).toEqual([]);
  });

  it('gives zsh its own', () => {
    expect(shell('$KIROTRAIL completion', { env: { SHELL: '/bin/zsh' } }).stdout.toString()).toMatch(/^#compdef kirotrail\n/);
  });
});

describe('help and manual', () => {
  it('groups options and shows examples', () => {
    const help = kirotrail(['--help']).stdout.toString();
    expect([...help.matchAll(/^(\w[\w ]*):$/gm)].map((match) => match[1])).toEqual([
      'Commands',
      'Output',
      'Secrets',
      'Which rows',
      'Evidence',
      'Options',
      'Examples',
    ]);
    expect(help).toContain('--csv-preset excel -o case.csv');
    for (const command of ['analyze', 'catalog', 'schema'])
      expect(kirotrail([command, '--help']).stdout.toString()).toMatch(new RegExp(`kirotrail ${command}`));
  });

  it.runIf(have('man'))('the manual page is clean troff and names every option', () => {
    const run = spawnSync('man', ['--warnings=w', '-l', MAN], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '200', LC_ALL: 'C.UTF-8', MAN_KEEP_FORMATTING: '', MANPAGER: 'cat' },
    });
    expect(run.stderr).toBe('');
    const text = run.stdout.replaceAll(/.\u0008/g, '').replaceAll(/\u001b\[[\d;]*m/g, '');
    const help = kirotrail(['--help']).stdout.toString() + kirotrail(['analyze', '--help']).stdout.toString();
    const options = new Set([...help.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map((match) => match[1] ?? ''));
    expect(options.size).toBeGreaterThan(30);
    for (const option of options) if (!['--help', '--version'].includes(option)) expect(text).toContain(option);
  });
});
