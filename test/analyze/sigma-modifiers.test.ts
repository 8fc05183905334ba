import { describe, expect, it } from 'vitest';
import { compileSigma } from '../../src/analyze/sigma/index.js';
import { finds, IDS, sigma } from './sigma-rows.js';

const item = (key: string, ...values: readonly unknown[]) =>
  compileSigma(
    {
      title: 'Invented',
      level: 'low',
      logsource: { category: 'process_creation', product: 'linux' },
      detection: { selection: { [key]: values.length === 1 ? values[0] : values }, condition: 'selection' },
    },
    IDS,
  );

describe('texts of rules', () => {
  it.each<[value: string, found: readonly string[], not: readonly string[]]>([
    ['rm -rf x', ['rm -rf x', 'RM -RF X'], ['rm -rf xy', 'a rm -rf x']],
    ['rm *', ['rm x', 'rm '], ['rm', 'frm x']],
    ['*x', ['rm x'], ['rm xy']],
    ['r?', ['rm'], ['r', 'rmx']],
    ['*a?c*', ['1 abc 2', 'aac'], ['ac', 'a-bc']],
    ['a*b*c', ['abc', 'a1b2c', 'abcabc'], ['acb', 'ab']],
    ['a*ab', ['aab', 'a-ab'], ['ab']],
    ['a\\*b', ['a*b'], ['axb', 'a\\*b']],
    ['a\\?b', ['a?b'], ['axb']],
    ['a\\b', ['a\\b'], ['ab']],
    ['a\\\\b', ['a\\b'], ['a\\\\b']],
    ['a\\\\*', ['a\\', 'a\\bc'], ['a*']],
    ['a\\\\\\*', ['a\\*'], ['a\\b']],
    ['a\\\\\\\\b', ['a\\\\b'], ['a\\b']],
    ['ÄRGER', ['ärger'], ['arger']],
  ])('%s', (value, found, not) => {
    for (const line of found) expect(finds(item('CommandLine', value), line), line).toBe(true);
    for (const line of not) expect(finds(item('CommandLine', value), line), line).toBe(false);
  });
});

describe('modifiers', () => {
  it.each<[key: string, values: readonly unknown[], found: readonly string[], not: readonly string[]]>([
    ['CommandLine|contains', ['b c'], ['a b c d', 'B C'], ['bc']],
    ['CommandLine|contains', ['y*z'], ['x y-z x'], ['x zy x']],
    ['CommandLine|contains', ['one', 'two'], ['one', 'two'], ['three']],
    ['CommandLine|contains|all', ['one', 'two'], ['two one'], ['one', 'two']],
    ['CommandLine|startswith', ['rm '], ['rm x'], ['a rm x']],
    ['CommandLine|endswith', [' x'], ['rm x'], ['rm xy']],
    ['CommandLine|contains|cased', ['Abc'], ['x Abc'], ['x abc']],
    ['CommandLine|cased', ['Abc'], ['Abc'], ['abc']],
    ['CommandLine|re', ['^rm\\s+-[rf]{2} /'], ['rm  -rf /x'], ['RM -rf /x', 'a rm -rf /x']],
    ['CommandLine|re|i', ['^RM -RF'], ['rm -rf /'], ['a rm']],
    ['CommandLine|re|m', ['^two$'], ['one\ntwo\nthree'], ['one two']],
    ['CommandLine|re|s', ['one.two'], ['one\ntwo'], ['onetwo']],
    ['CommandLine|re|i|s', ['ONE.TWO'], ['one\ntwo'], ['onetwo']],
    ['CommandLine|re', ['(?i)^RM'], ['rm'], ['a rm']],
    ['CommandLine|re', ['one', 'two'], ['one', 'two'], ['three']],
    ['CommandLine|re|all', ['one', 'two'], ['two one'], ['one']],
    [
      'CommandLine|windash|contains',
      [' -enc '],
      ['x -enc y', 'x /enc y', 'x \u2013enc y', 'x \u2014enc y', 'x \u2015ENC y'],
      ['x enc y', 'x +enc y'],
    ],
    ['CommandLine|contains|windash', ['a-b /c'], ['a-b -c'], ['a/b -c']],
    ['CommandLine|exists', [true], ['x'], []],
    ['ParentImage|exists', [false], ['x'], []],
    ['User|exists', [true], [], ['x']],
    ['CommandLine|base64|contains', ['whoami'], ['echo d2hvYW1p | x'], ['echo D2HVYW1P', 'whoami']],
    ['CommandLine|wide|base64|contains', ['whoami'], ['x dwBoAG8AYQBtAGkA'], ['d2hvYW1p']],
    // base64 of `whoami`, of ` whoami x` and of `; whoami x`: the text begins at each place of a group of three.
    ['CommandLine|base64offset|contains', ['whoami'], ['d2hvYW1pIHg=', 'IHdob2FtaSB4', 'OyB3aG9hbWkgeA=='], ['whoami', 'aG9hbWk=']],
    ['CommandLine|wide|base64offset|contains', ['whoami'], ['IAB3AGgAbwBhAG0AaQAgAHgA'], ['IHdob2FtaSB4']],
    ['CommandLine', [4711], ['4711'], ['471']],
  ])('%s: %j', (key, values, found, not) => {
    for (const line of found) expect(finds(item(key, ...values), line), line).toBe(true);
    for (const line of not) expect(finds(item(key, ...values), line), line).toBe(false);
  });

  it('finds any text at any offset of its Base64', () => {
    for (const text of ['abc', 'http://x', 'IEX (New-Object']) {
      for (let before = 0; before < 6; before++) {
        for (let after = 0; after < 4; after++) {
          const line = `x ${Buffer.from(`${'-'.repeat(before)}${text}${'~'.repeat(after)}`).toString('base64')}`;
          expect(finds(item('CommandLine|base64offset|contains', text), line), line).toBe(true);
        }
      }
    }
  });
});

describe('refusals', () => {
  it.each<[key: string, values: readonly unknown[], reason: string]>([
    ['IntegrityLevel', ['High'], 'the field `IntegrityLevel` is not in a timeline (taken: CommandLine, Image,'],
    ['TargetFilename', ['x'], 'the field `TargetFilename` is not in a timeline'],
    ['commandline', ['x'], 'the field `commandline` is not in a timeline'],
    ['CommandLine|cidr', ['10.0.0.0/8'], 'the modifier `cidr` of `CommandLine|cidr` is not known here'],
    ['CommandLine|expand', ['%x%'], 'the modifier `expand`'],
    ['CommandLine|fieldref', ['Image'], 'the modifier `fieldref`'],
    ['CommandLine|gt', [1], 'the modifier `gt`'],
    ['CommandLine|contains|startswith', ['x'], '`contains` and `startswith`, which do not go together'],
    ['CommandLine|re|contains', ['x'], '`contains` and `re`, which do not go together'],
    ['CommandLine|re|base64', ['x'], 'has `re` with a modifier for plain text'],
    ['CommandLine|i', ['x'], 'has a flag of a regular expression without `re`'],
    ['CommandLine|wide', ['x'], 'has `wide` without `base64` behind it'],
    ['CommandLine|base64|wide', ['x'], 'has `wide` without `base64` behind it'],
    ['CommandLine|base64|base64offset', ['xyz'], 'has `base64` twice'],
    ['CommandLine|base64|windash', ['xyz'], 'has `windash` with `base64`'],
    ['CommandLine|base64|contains', ['x*'], 'has a wildcard in a text to be encoded'],
    ['CommandLine|base64offset|contains', ['x'], 'has a text too short to be found in Base64'],
    ['CommandLine|exists', ['yes'], 'asks for neither true nor false'],
    ['CommandLine|exists|contains', [true], '`contains` and `exists`, which do not go together'],
    ['CommandLine|exists|cased', [true], 'has `exists` with another modifier'],
    ['CommandLine|contains', [''], 'looks for an empty text, which is everywhere'],
    ['CommandLine|contains|all', ['x', null], 'asks for all of a list with an empty value'],
    ['CommandLine', [{ a: 1 }], 'has a value that is no text'],
    ['CommandLine', [[]], 'has an empty list'],
    ['CommandLine|re', ['(a)\\1'], 'has `\\1`, which is not taken'],
    ['CommandLine|re', ['a(?=b)'], 'has look-around'],
    ['CommandLine|re', ['a(?<!b)'], 'has look-around'],
    ['CommandLine|re', ['a(b'], 'has an open bracket'],
    ['CommandLine|re', ['a)b'], 'a closing bracket without an opening one'],
    ['CommandLine|re', ['a[b'], 'has an open `['],
    ['CommandLine|re', ['[[:alpha:]]'], 'a class like `[:alpha:]`'],
    ['CommandLine|re', ['a*+'], 'a repetition of a repetition'],
    ['CommandLine|re', ['*a'], 'a repetition of nothing'],
    ['CommandLine|re', ['a{3,2}'], 'the wrong way round'],
    ['CommandLine|re', ['a{2000}'], 'a repetition of more than 1000 times'],
    ['CommandLine|re', ['[z-a]'], 'a range that is none'],
    ['CommandLine|re', ['a\\'], 'a backslash at the end'],
    ['CommandLine|re', ['\\p{L}'], 'has `\\p`'],
    ['CommandLine|re', ['(a{999}){999}'], 'larger than 2000 steps'],
    ['CommandLine|re', ['((((){999}){999}){999}){999}'], 'larger than 2000 steps'],
    ['CommandLine|re', [`${'('.repeat(99)}a${')'.repeat(99)}`], 'groups more than 50 deep'],
    ['CommandLine|re', ['a'.repeat(5000)], 'longer than 4000 characters'],
  ])('%s: %j', (key, values, reason) => {
    expect(finds(item(key, ...values), 'x')).toContain(reason);
  });

  const head = { title: 'x', level: 'low', logsource: { category: 'process_creation' }, detection: { a: { Image: 'x' }, condition: 'a' } };
  it.each<[what: string, document: unknown, reason: string]>([
    ['another category', { ...head, logsource: { category: 'dns_query' } }, 'events of the category `dns_query`'],
    ['a log alone', { ...head, logsource: { product: 'linux', service: 'auditd' } }, 'no category of events'],
    ['a log of a category', { ...head, logsource: { category: 'process_creation', service: 'x' } }, 'the log `x`'],
    ['a correlation', { title: 'x', correlation: { type: 'event_count' } }, 'a correlation of several events'],
    ['a filter', { title: 'x', logsource: {}, filter: {} }, 'a filter for other rules'],
    ['several documents', { ...head, action: 'global' }, 'a rule made of several documents'],
    ['no level', { ...head, level: undefined }, 'no level'],
    ['a strange level', { ...head, level: 'urgent' }, 'the level `urgent` is none of critical,'],
    ['no title', { ...head, title: undefined }, 'title: '],
    ['unsupported', { ...head, status: 'unsupported' }, 'its status is `unsupported`'],
    ['a time frame', { ...head, detection: { ...head.detection, timeframe: '5m' } }, 'a time frame over several events'],
    ['several conditions', { ...head, detection: { a: { Image: 'x' }, condition: ['a', 'a'] } }, 'several conditions'],
    ['no condition', { ...head, detection: { a: { Image: 'x' } } }, 'no condition'],
    ['an empty search', { ...head, detection: { a: {}, condition: 'a' } }, 'an empty search'],
    ['an empty list', { ...head, detection: { a: [], condition: 'a' } }, 'an empty list of searches'],
    ['a list in a list', { ...head, detection: { a: [['x']], condition: 'a' } }, ''],
    ['keywords for files', { ...head, logsource: { category: 'file_event' }, detection: { a: ['x'], condition: 'a' } }, 'no command line'],
    [
      'a command line for files',
      { ...head, logsource: { category: 'file_event' } },
      'the field `Image` is not in a timeline (taken: TargetFilename)',
    ],
    ['a search nobody asks for', { ...head, detection: { ...head.detection, b: { Hashes: 'x' } } }, 'the field `Hashes`'],
    ['no rule', null, 'not a rule'],
  ])('%s', (_, document, reason) => {
    const rule = compileSigma(document, IDS);
    if (reason === '') expect(rule).toHaveProperty('condition');
    else expect('refused' in rule ? rule.refused : 'taken').toContain(reason);
  });
});

describe('bounds', () => {
  const LONG = 65_000;
  const seconds = (work: () => void) => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  };

  // Each of these takes minutes or years where ways are tried one after the other.
  it.each<[key: string, value: string, line: string]>([
    ['CommandLine|re', '(a+)+q', 'a'.repeat(LONG)],
    ['CommandLine|re', '(a|a)*qa', 'a'.repeat(LONG)],
    ['CommandLine|re', 'x.*x.*x.*x.*y', 'x'.repeat(LONG)],
    ['CommandLine|re', '(a?){40}a{40}q', 'a'.repeat(LONG)],
    ['CommandLine|contains', '*a*a*a*a*a*a*q', 'a'.repeat(LONG)],
    ['CommandLine|contains', 'a?a?a?a?q', 'a'.repeat(LONG)],
  ])('%s: %s ends on a hostile line', (key, value, line) => {
    const rule = item(key, value);
    expect(finds(rule, 'x')).toBe(false);
    expect(seconds(() => expect(finds(rule, line)).toBe(false))).toBeLessThan(10);
  });

  it('takes no more of a line than the parser of commands does', () => {
    const rule = item('CommandLine|contains', 'end');
    expect(finds(rule, { line: `${'a'.repeat(70_000)} end`, commands: [] })).toBe(false);
  });
});

// Rules in the shapes that public ones have, all invented.
describe('whole rules', () => {
  it('selections with a filter', () => {
    const rule = sigma(`
      selection_img:
        - Image|endswith:
            - '/wget'
            - '/curl'
        - CommandLine|contains: 'aria2c '
      selection_cli:
        CommandLine|contains|all:
          - 'paste.invalid'
          - ' -'
      filter_main_help:
        CommandLine|endswith: ' --help'
      filter_optional_parent:
        ParentImage|endswith: '/updater'
      condition: all of selection_* and not 1 of filter_main_* and not 1 of filter_optional_*`);
    expect(finds(rule, 'curl -T x https://paste.invalid/')).toBe(true);
    expect(finds(rule, 'curl https://paste.invalid/')).toBe(false);
    expect(finds(rule, 'curl -T x https://paste.invalid/ --help')).toBe(false);
    // The line as the shell got it names a program, and does not end with the help option.
    expect(finds(rule, { line: 'aria2c -x https://paste.invalid/ --help; ls', commands: ['ls'] })).toBe(true);
  });

  it('a child of a shell', () => {
    const rule = sigma(`
      selection:
        ParentImage|endswith: '/bash'
        Image|endswith: '/base64'
        CommandLine|re: '\\s-(d|-decode)\\b'
      condition: selection`);
    expect(finds(rule, 'base64 -d x')).toBe(true);
    expect(finds(rule, 'base64 --decode x')).toBe(true);
    expect(finds(rule, 'base64 x -data')).toBe(false);
  });

  it('a Windows rule on a line of PowerShell', () => {
    const rule = sigma(
      `
      selection:
        - Image|endswith: '\\powershell.exe'
        - OriginalFileName: 'PowerShell.EXE'
      options:
        CommandLine|contains|windash: ' -nop'
      condition: all of them`,
      { product: 'windows' },
    );
    expect(finds(rule, { line: 'powershell /nop -c x', tool: 'execute_cmd' })).toBe(true);
    expect(finds(rule, { line: 'powershell -c x', tool: 'execute_cmd' })).toBe(false);
  });

  it('a file written at a place of start-up items', () => {
    const rule = sigma(
      `
      selection:
        TargetFilename|contains:
          - '/LaunchAgents/'
          - '/LaunchDaemons/'
        TargetFilename|endswith: '.plist'
      condition: selection`,
      { category: 'file_event', product: 'macos' },
    );
    expect(finds(rule, { writes: ['a.txt', '~/Library/LaunchAgents/x.plist'] })).toBe(true);
    expect(finds(rule, { writes: ['~/Library/LaunchAgents/x.txt', 'y.plist'] })).toBe(false);
  });
});
