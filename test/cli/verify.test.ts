import { appendFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { copyHome, kirotrail, stateOf, testFolder } from '../support/cli.js';

const folder = testFolder();
const home = join(folder, 'home');
const timeline = join(folder, 'case/timeline.jsonl');
const manifest = `${timeline}.manifest.json`;

function verify(...args: string[]): readonly [number | null, string[]] {
  const { code, stdout, stderr } = kirotrail(['verify', ...args]);
  expect(stderr).toBe('');
  return [code, `${stdout}`.trimEnd().split('\n')];
}

beforeAll(() => {
  copyHome(home);
  mkdirSync(join(folder, 'case'));
  kirotrail([home, '-f', 'jsonl', '-o', timeline, '-q']);
});

describe('a manifest', () => {
  it('finds everything as it was, and changes nothing', () => {
    const before = stateOf(home);
    const [code, lines] = verify(manifest);
    expect([code, lines]).toEqual([0, [expect.stringMatching(/^inputs: \d{3} same; outputs: 1 same$/)]]);
    expect(stateOf(home)).toEqual(before);
    expect(verify(manifest, '-q')).toEqual([0, ['']]);
  });

  it('finds what was changed, taken away or put in its place, of files and of those beside them', () => {
    const moved = join(folder, 'moved');
    cpSync(home, moved, { recursive: true, preserveTimestamps: true });
    appendFileSync(join(moved, '.aws/amazonq/.cli_bash_history'), 'one more\n');
    rmSync(join(moved, '.aws/amazonq/cli-agents/dev.json'));
    renameSync(join(moved, '.aws/amazonq/cli-agents/reviewer.json'), join(folder, 'away.json'));
    symlinkSync(join(folder, 'away.json'), join(moved, '.aws/amazonq/cli-agents/reviewer.json'));
    const [code, lines] = verify(manifest, '--root', moved);
    expect(code).toBe(1);
    expect(lines.slice(0, -1)).toEqual([
      expect.stringMatching(/^changed: input \.aws\/amazonq\/\.cli_bash_history \(was [0-9a-f]{64}, is [0-9a-f]{64}\)$/),
      'missing: input .aws/amazonq/cli-agents/dev.json',
      'missing: input .aws/amazonq/cli-agents/reviewer.json (ELOOP)',
    ]);
    expect(lines.at(-1)).toMatch(/^inputs: 1 changed, 2 missing, \d+ same; outputs: 1 same$/);
  });

  it('finds an output that was edited, and one that was moved together with it', () => {
    const other = join(folder, 'other');
    cpSync(join(folder, 'case'), other, { recursive: true });
    expect(verify(join(other, 'timeline.jsonl.manifest.json'))[0]).toBe(0);
    writeFileSync(join(other, 'timeline.jsonl'), readFileSync(timeline, 'utf8').replace('prompt', 'Prompt'));
    const [code, [first]] = verify(join(other, 'timeline.jsonl.manifest.json'));
    expect([code, first]).toEqual([1, expect.stringMatching(/^changed: output .*timeline\.jsonl \(was /)]);
  });

  it('of several roots finds the files of each', () => {
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    for (const root of [a, b]) cpSync(join(home, '.aws'), join(root, '.aws'), { recursive: true });
    const both = join(folder, 'both.jsonl');
    kirotrail([a, b, '-f', 'jsonl', '-o', both, '-q']);
    expect(verify(`${both}.manifest.json`)[0]).toBe(0);
    appendFileSync(join(b, '.aws/amazonq/.cli_bash_history'), 'x\n');
    expect(verify(`${both}.manifest.json`)[1][0]).toMatch(/^changed: input b\/\.aws\/amazonq\/\.cli_bash_history /);
    expect(kirotrail(['verify', `${both}.manifest.json`, '--root', a])).toMatchObject({
      code: 2,
      stderr: 'kirotrail: the manifest names 2 roots, 1 are given with --root\n',
    });
  });

  it('of a merge, and of a run over standard input', () => {
    const merged = join(folder, 'merged.jsonl');
    kirotrail(['merge', `one=${timeline}`, '-o', merged, '-q']);
    expect(verify(`${merged}.manifest.json`)).toEqual([0, ['inputs: 1 same; outputs: 1 same']]);
    const from = join(folder, 'stdin.jsonl');
    kirotrail(['-', '-f', 'jsonl', '-o', from, '-q'], { input: readFileSync('fixtures/findings/home/mira/exports/deploy.json') });
    expect(verify(`${from}.manifest.json`)).toEqual([
      0,
      ['not hashed: input (stdin) (it was no file)', 'inputs: 1 not hashed; outputs: 1 same'],
    ]);
  });

  it('that is none is said to be none', () => {
    writeFileSync(join(folder, 'text.json'), 'not JSON');
    writeFileSync(join(folder, 'other.json'), '{"schema":"other/1"}');
    const said = (name: string) => kirotrail(['verify', join(folder, name)]).stderr.replaceAll(`${folder}/`, '');
    expect(said('text.json')).toBe('kirotrail: text.json: not JSON\n');
    expect(said('other.json')).toBe('kirotrail: other.json is no manifest of kirotrail\n');
    expect(said('none.json')).toContain('ENOENT');
    expect(kirotrail(['verify']).code).toBe(2);
  });
});
