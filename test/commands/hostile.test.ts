import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, normalisePath, parseCommand } from '../../src/commands/index.js';

const TOOLS = ['execute_bash', 'execute_pwsh', 'execute_cmd'];

/** One text of each kind that makes a careless reader recurse, backtrack or multiply. */
const TEXTS: Readonly<Record<string, string>> = {
  'open parentheses': '('.repeat(100_000),
  'open substitutions': '$('.repeat(50_000),
  'open substitutions in quotes': '"$('.repeat(30_000),
  'open arithmetic': '$(('.repeat(20_000),
  'open parameters': `echo ${'${a:-'.repeat(13_000)}`,
  'open process substitutions': '$(a <('.repeat(9_000),
  'open if': 'if '.repeat(50_000),
  'open bodies': 'if x; then '.repeat(10_000),
  'open functions': 'f() { '.repeat(10_000),
  'closed substitutions': `echo ${'$(echo '.repeat(200)}${')'.repeat(200)}`,
  'long word': 'a'.repeat(5_000_000),
  pipes: 'a|'.repeat(250_000),
  ampersands: 'a&'.repeat(32_000),
  'mixed quotes': '\'"'.repeat(40_000),
  backticks: '`'.repeat(70_000),
  'here-documents': 'cat <<E\n'.repeat(10_000),
  'brace expansions': `rm ${'{a,b}'.repeat(5_000)}`,
  'nested braces': `rm ${'{a,'.repeat(20_000)}`,
  'lone surrogates and NUL': '\ud800 rm\0 -rf \0 \udc00 ~',
  'wrappers in wrappers': `${'sudo env A=b xargs '.repeat(3_000)}rm -rf /`,
  'code in code': 'eval bash -c "'.repeat(4_000),
  'find in find': `find . ${'-exec find '.repeat(6_000)}`,
  'containers in containers': `${'docker exec x '.repeat(4_600)}rm`,
  'many actions': `find . ${'-exec sh -c "eval find -exec rm {} +" \\; '.repeat(1_500)}`,
  'many addresses': `curl ${Array.from({ length: 5_000 }, (_, i) => `http://a${i}.b`).join(' ')}`,
  'parent folders': `rm ${'../'.repeat(20_000)} /${'a/../'.repeat(9_000)}`,
  'letters of options': `x -${'a'.repeat(60_000)}`,
  'groups of PowerShell': `Get-Content ${'{('.repeat(30_000)}`,
  'strings of PowerShell': `Remove-Item ${'"$('.repeat(20_000)}`,
  'here-strings of PowerShell': `Get-Item; ${'@"\n'.repeat(20_000)}`,
  'closed groups of PowerShell': `Get-Item ${'('.repeat(20_000)}${')'.repeat(20_000)}`,
  'blanks behind a name of Windows': `del ${' '.repeat(60_000)}`,
  'escapes of cmd': `del C:\\ ${'^'.repeat(60_000)}`,
  'Base64 of nothing': `echo ${'A'.repeat(60_000)} | base64 -d | sh`,
};

/** Far above what any of them takes, and far below what a quadratic reader takes. */
const LIMIT_MS = 15_000;

describe.each(Object.entries(TEXTS))('hostile text: %s', (_, text) => {
  it.each(TOOLS)('is read in bounded time by %s', (tool) => {
    const start = performance.now();
    const { commands, complete, problem } = parseCommand(text, { projectPath: '/home/mira/shop', tool });
    expect(performance.now() - start).toBeLessThan(LIMIT_MS);
    expect(commands.length).toBeLessThanOrEqual(70_000);
    expect(complete).toBe(problem === '');
    if (text.length > 65_536) expect(problem).not.toBe('');
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    ...[
      'rm',
      '-rf',
      '~',
      "'",
      '"',
      '`',
      '$(',
      ')',
      '(',
      '{',
      '}',
      '|',
      '||',
      '&&',
      '&',
      ';',
      '\n',
      '>',
      '<',
      '<<E',
      '<<<',
      '#',
      '\\',
      '$HOME',
      '*',
      '!',
      '[[',
      ']]',
      'if',
      'then',
      'fi',
      'do',
      'done',
      'for',
      'in',
      'case',
      'esac',
    ],
    ...[
      'sudo',
      'env',
      'A=b',
      'xargs',
      'find',
      '-exec',
      '{}',
      '+',
      'bash',
      '-c',
      'eval',
      'ssh',
      'docker',
      'exec',
      'curl',
      '-d',
      '@-',
      'http://a.invalid',
      'base64',
      'echo',
      'cGM=',
      'cd',
      '..',
      'git',
      'tar',
      'cp',
      '-t',
      '\0',
      '\ud800',
    ],
    ...['Remove-Item', '-Recurse', '@{', "@'", '%', '$x', '=', ',', 'powershell', '-enc', 'cmd', '/c', '^', '%X%', 'C:\\', 'iex'],
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.tuple(piece, fc.constantFrom('', ' ')), { maxLength: 40 }).map((parts) => parts.flat().join('')),
  );

  it('is read without a throw, twice the same', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom(...TOOLS),
        fc.constantFrom('', '/home/mira/shop', 'C:\\Users\\mira\\shop'),
        (line, tool, projectPath) => {
          const once = parseCommand(line, { projectPath, tool });
          expect(parseCommand(line, { projectPath, tool })).toEqual(once);
          expect(once.complete).toBe(once.problem === '');
          for (const command of once.commands) expect(command.sub).toBe(command.ops.slice(0, 3).join(' '));
        },
      ),
      { numRuns: 800 },
    );
  });

  it('has a host in lower case', () => {
    fc.assert(
      fc.property(text, (line) => {
        expect(hostOf(line)).toBe(hostOf(line).toLowerCase());
      }),
      { numRuns: 1000 },
    );
  });

  const part = fc.constantFrom('.', '..', '~', '/', '//', '\\', '$HOME', '%TEMP%', 'C:', 'a', 'b c', '*', '?', '-');

  it('is a path that stays as it is once it is normal; only a share of Windows loses a slash that means nothing elsewhere', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
        ),
        (line) => {
          fc.pre(!(line.includes('\\') && line.includes('/')));
          const normal = normalisePath(line);
          fc.pre(!/^\/\/(?![.?]\/)/.test(normal));
          expect(normalisePath(normal)).toBe(normal);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
