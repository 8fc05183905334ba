import { describe, expect, it } from 'vitest';
import { compileSigma, isSigma } from '../../src/analyze/sigma/index.js';
import { finds, IDS, sigma, view } from './sigma-rows.js';

describe('documents', () => {
  it('knows a Sigma document by its parts', () => {
    expect(isSigma({ logsource: {}, detection: {} })).toBe(true);
    expect(isSigma({ correlation: {} })).toBe(true);
    expect(isSigma({ logsource: {}, filter: {} })).toBe(true);
    expect(isSigma({ id: 'exec.x', match: {} })).toBe(false);
    expect(isSigma({ detection: {} })).toBe(false);
    for (const other of [null, undefined, 'detection', 7, []]) expect(isSigma(other)).toBe(false);
  });

  it('fills the head of a rule', () => {
    const rule = compileSigma(
      {
        title: 'Log Files Emptied By Hand',
        id: 'AAAAAAAA-0000-4000-8000-000000000001',
        status: 'test',
        description: 'A log was emptied.\n',
        author: 'Ada Example, Bob Example',
        license: 'DRL-1.1',
        references: ['https://notes.invalid/1'],
        date: '2024-01-05',
        modified: '2025-11-30',
        tags: ['attack.defense-evasion', 'attack.t1070.002', 'attack.t1485', 'attack.T9999', 'cve.2024-1'],
        logsource: { category: 'process_creation', product: 'linux' },
        detection: { selection: { CommandLine: 'x' }, condition: 'selection' },
        falsepositives: ['Rotation of logs', 'Unknown'],
        level: 'informational',
      },
      IDS,
    );
    expect(rule).toMatchObject({
      kind: 'match',
      id: 'sigma.aaaaaaaa-0000-4000-8000-000000000001',
      version: 20251130,
      title: 'Log Files Emptied By Hand',
      level: 'info',
      means:
        'A log was emptied. Its tag T1070.002 is retired; T1685.006 took its place. Its tag T9999 is left out: T9999 is no ATT&CK id of v19.',
      otherwise: ['Rotation of logs'],
      attack: ['T1685.006', 'T1485'],
      atlas: [],
      author: 'Ada Example, Bob Example',
      source: 'Sigma rule AAAAAAAA-0000-4000-8000-000000000001 (DRL-1.1); https://notes.invalid/1',
    });
  });

  it('names a rule without id by its title, and says so of missing explanations', () => {
    const rule = compileSigma(
      {
        title: 'A File: Gone!',
        level: 'critical',
        logsource: { category: 'file_event' },
        detection: { selection: { TargetFilename: 'x' }, condition: 'selection' },
      },
      IDS,
    );
    expect(rule).toMatchObject({
      id: 'sigma.a-file-gone',
      version: 1,
      level: 'critical',
      means: 'A File: Gone!',
      otherwise: ['The rule names no other explanation.'],
      source: 'a Sigma rule without id',
    });
  });
});

describe('events', () => {
  const named = (field: string, value: string, product = 'linux') =>
    sigma(`selection:\n  ${field}: '${value}'\ncondition: selection`, { product });

  it('sees each simple command, and the whole line as the shell got it', () => {
    const call = { line: 'cd /x && rm -rf build', commands: ['cd /x', 'rm -rf build'], project: '/home/ann/app', user: 'ann' };
    expect(finds(named('CommandLine', 'rm -rf build'), call)).toBe(true);
    expect(finds(named('CommandLine', 'bash -c cd /x && rm -rf build'), call)).toBe(true);
    expect(finds(named('CommandLine', 'cd /x && rm -rf build'), call)).toBe(false);
    expect(finds(named('ParentCommandLine', 'cd /x && rm -rf build'), call)).toBe(true);
    expect(finds(named('CurrentDirectory', '/home/ann/app'), call)).toBe(true);
    expect(finds(named('User', 'ANN'), call)).toBe(true);
    expect(finds(named('OriginalFileName', 'rm.exe'), call)).toBe(true);
    expect(finds(named('ParentImage', '/bin/bash'), call)).toBe(true);
  });

  it('joins the fields of one event only', () => {
    const rule = sigma(`
      selection:
        Image|endswith: '/cat'
        CommandLine|contains: 'secret'
      condition: selection`);
    expect(finds(rule, { line: 'cat a; echo secret', commands: ['cat a', 'echo secret'] })).toBe(false);
    expect(finds(rule, { line: 'cat secret', commands: ['cat secret'] })).toBe(true);
  });

  it('gives a program called by its name every folder of programs, but only where the program is named', () => {
    for (const image of ['/usr/bin/rm', '/bin/rm', '/usr/sbin/rm']) expect(finds(named('Image', image), 'rm x')).toBe(true);
    expect(finds(named('Image|endswith', '/rm'), 'rm x')).toBe(true);
    expect(finds(named('Image|startswith', '/usr/local/bin/'), 'rm x')).toBe(false);
    expect(finds(named('Image', '/tmp/rm'), 'rm x')).toBe(false);
  });

  it('takes the folder that a command names', () => {
    expect(finds(named('Image|startswith', '/tmp/'), '/tmp/a/run me')).toBe(true);
    expect(finds(named('Image', '/usr/bin/run'), '/tmp/a/run me')).toBe(false);
    expect(finds(named('Image', '/srv/app/bin/run'), { line: './bin/run me', project: '/srv/app' })).toBe(true);
    expect(finds(named('Image', '/home/ann/bin/run'), { line: '~/bin/run', user: 'ann' })).toBe(true);
  });

  it('writes programs as the system of the rule does', () => {
    expect(finds(named('Image|endswith', '\\curl.exe', 'windows'), 'curl x')).toBe(true);
    expect(finds(named('Image|endswith', '\\curl.exe'), 'curl x')).toBe(false);
    expect(finds(named('Image', 'C:\\Tools\\run.exe', 'windows'), 'C:\\Tools\\run x')).toBe(true);
    expect(finds(named('Image|endswith', '\\dir.exe', ''), { line: 'dir x', tool: 'execute_cmd' })).toBe(true);
    expect(finds(named('Image|endswith', '/dir', ''), { line: 'dir x' })).toBe(true);
    const whole = named('CommandLine|startswith', 'powershell.exe -Command Get-Item', 'windows');
    expect(finds(whole, { line: 'Get-Item x', tool: 'execute_pwsh' })).toBe(true);
  });

  it('sees written paths, with the home directory and the working directory in full', () => {
    const rule = (value: string, product = 'linux') =>
      sigma(`selection:\n  TargetFilename: '${value}'\ncondition: selection`, { category: 'file_event', product });
    expect(finds(rule('/etc/cron.d/*'), { writes: ['/etc/cron.d/x'] })).toBe(true);
    expect(finds(rule('/home/ann/.bashrc'), { writes: ['~/.bashrc'], user: 'ann' })).toBe(true);
    expect(finds(rule('/Users/*/.bashrc', 'macos'), { writes: ['~/.bashrc'] })).toBe(true);
    expect(finds(rule('/root/.bashrc'), { writes: ['~/.bashrc'], user: 'root' })).toBe(true);
    expect(finds(rule('/srv/app/x'), { writes: ['x'], project: '/srv/app' })).toBe(true);
    expect(finds(rule('C:\\Users\\\\*\\x.ps1', 'windows'), { writes: ['~/x.ps1'] })).toBe(true);
    expect(finds(rule('/etc/cron.d/*'), { writes: [] })).toBe(false);
  });

  it('says which simple commands met the rule', () => {
    const rule = named('CommandLine|startswith', 'rm ');
    if ('refused' in rule) throw new Error(rule.refused);
    const row = view({ line: 'rm a; ls; rm b', commands: ['rm a', 'ls', 'rm b'] });
    expect(rule.condition.matchedCommands(row).map(({ line }) => line)).toEqual(['rm a', 'rm b']);
  });

  it('finds nothing in a row without a command', () => {
    expect(finds(sigma(`selection:\n  CommandLine: 'x'\ncondition: not selection`), '')).toBe(false);
  });
});

describe('conditions', () => {
  const rule = (condition: string) =>
    sigma(`
      a:
        CommandLine|contains: 'A1'
      b:
        CommandLine|contains: 'B1'
      sel_one:
        CommandLine|contains: 'C1'
      sel_two:
        CommandLine|contains: 'D1'
      _skip:
        CommandLine|contains: 'E1'
      condition: ${condition}`);

  it.each<[string, readonly string[], readonly string[]]>([
    ['a', ['a1'], ['b1']],
    ['a and b', ['a1 b1'], ['a1', 'b1']],
    ['a or b', ['a1', 'b1'], ['c1']],
    ['a AND NOT b', ['a1'], ['a1 b1', 'c1']],
    ['a or b and sel_one', ['a1', 'b1 c1'], ['b1', 'c1']],
    ['(a or b) and sel_one', ['a1 c1', 'b1 c1'], ['a1', 'c1']],
    ['not a and b', ['b1'], ['a1 b1', 'c1']],
    ['not (a or b)', ['c1'], ['a1', 'b1']],
    ['not not a', ['a1'], ['b1']],
    ['1 of sel_*', ['c1', 'd1'], ['a1']],
    ['all of sel_*', ['c1 d1'], ['c1', 'd1']],
    ['a and not 1 of sel_*', ['a1'], ['a1 c1', 'c1']],
    ['1 of them', ['a1', 'b1', 'c1', 'd1'], ['e1']],
    ['all of them', ['a1 b1 c1 d1'], ['a1 b1 c1 e1']],
    ['1 of _*', ['e1'], ['a1']],
    ['1 of *_t*', ['d1'], ['c1']],
    ['all of a', ['a1'], ['b1']],
  ])('%s', (condition, found, not) => {
    for (const line of found) expect(finds(rule(condition), line), line).toBe(true);
    for (const line of not) expect(finds(rule(condition), line), line).toBe(false);
  });

  it.each<[string, string]>([
    ['a | count() > 5', 'the condition counts events (`|`)'],
    ['a and', 'the condition ends too early'],
    ['(a or b', 'the condition has an open bracket'],
    ['a b', 'the condition has `b` where it should end'],
    ['a)', 'the condition has `)` where it should end'],
    ['c', 'the condition names `c`, which the rule does not have'],
    ['2 of sel_*', 'the condition asks for `2 of`: only `1 of` and `all of` are known'],
    ['1 of x*', 'the condition asks for `1 of x*`, and nothing has such a name'],
    ["''", 'the condition is empty'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 'the condition nests more than 50 deep'],
    [`${'not '.repeat(60)}a`, 'the condition nests more than 50 deep'],
    [`a${' or a'.repeat(600)}`, 'the condition has more than 1000 words'],
  ])('refuses %s', (condition, reason) => {
    expect(rule(condition)).toEqual({ refused: reason });
  });
});

describe('searches', () => {
  it('takes all keys of a map, and one map of a list', () => {
    const all = sigma(`
      selection:
        Image|endswith: '/nc'
        CommandLine|contains: ' -l'
      condition: selection`);
    expect(finds(all, 'nc -l 1')).toBe(true);
    expect(finds(all, 'nc 1')).toBe(false);
    const any = sigma(`
      selection:
        - Image|endswith: '/nc'
          CommandLine|contains: ' -l'
        - Image|endswith: '/socat'
      condition: selection`);
    expect(finds(any, 'socat 1')).toBe(true);
    expect(finds(any, 'nc 1')).toBe(false);
  });

  it('looks for keywords in the command line, one of them or all', () => {
    const any = sigma(`
      keywords:
        - 'drop it'
        - 'wipe*it'
        - 4711
      condition: keywords`);
    expect(finds(any, 'x Drop It now')).toBe(true);
    expect(finds(any, 'wipe all of it!')).toBe(true);
    expect(finds(any, 'port 47110')).toBe(true);
    expect(finds(any, 'drop')).toBe(false);
    const all = sigma(`
      keywords:
        '|all':
          - 'one'
          - 'two'
      condition: keywords`);
    expect(finds(all, 'two one')).toBe(true);
    expect(finds(all, 'one')).toBe(false);
  });

  it('takes an empty value, and none', () => {
    const none = sigma(`selection:\n  CurrentDirectory: null\ncondition: selection`);
    expect(finds(none, { line: 'x' })).toBe(true);
    expect(finds(none, { line: 'x', project: '/p' })).toBe(false);
  });
});
