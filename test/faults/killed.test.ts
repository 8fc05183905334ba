import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CLI, kirotrail, manifestOf, saveExport, sha256, shell, testFolder, writeFileDeep } from '../support/cli.js';
import { CAN, wideHome } from './support.js';

const folder = testFolder();
let home = '';
let whole = '';
let duration = 0;

beforeAll(() => {
  home = wideHome(folder);
  const out = join(folder, 'whole.jsonl');
  const started = Date.now();
  expect(kirotrail([home, '-q', '-o', out]).code).toBe(0);
  duration = Date.now() - started;
  whole = sha256(readFileSync(out));
});

const places = () => ({ out: mkdtempSync(join(folder, 'out-')), scratch: mkdtempSync(join(folder, 'scratch-')) });
type Places = ReturnType<typeof places>;

/** Under a final name stands the whole file or none, and a manifest only beside its output. Then the next run puts all in order. */
function expectSound({ out, scratch }: Places): void {
  const names = readdirSync(out).filter((name) => !/^\.x\.jsonl.*\.\d+-\d+-[0-9a-f]{8}\.partial$/.test(name));
  expect([[], ['x.jsonl'], ['x.jsonl', 'x.jsonl.manifest.json']]).toContainEqual(names.sort());
  if (names.includes('x.jsonl')) expect(sha256(readFileSync(join(out, 'x.jsonl')))).toBe(whole);
  if (names.length === 2) expect(manifestOf(join(out, 'x.jsonl.manifest.json')).outputs).toMatchObject([{ sha256: whole }]);
  expect(kirotrail([home, '-q', '--force', '-o', join(out, 'x.jsonl'), '--scratch', scratch]).code).toBe(0);
  expect(sha256(readFileSync(join(out, 'x.jsonl')))).toBe(whole);
  expect(readdirSync(scratch)).toEqual([]);
  expect(readdirSync(out).sort()).toEqual(['x.jsonl', 'x.jsonl.manifest.json']);
}

describe.skipIf(!CAN.trace)('killed (skipped where strace cannot be used)', () => {
  const traced = (trace: string, { out, scratch }: Places) =>
    shell(`strace -f -qq ${trace} $KIROTRAIL "$IN" -q -o "$OUT/x.jsonl" --scratch "$SCRATCH" --workers 0`, {
      env: { IN: home, OUT: out, SCRATCH: scratch, TRACE: join(folder, 'trace') },
    });

  it('at any of its writes it leaves no half file, and the next run takes its traces away', () => {
    expect(traced('-e trace=write -o "$TRACE"', places()).code).toBe(0);
    const writes = readFileSync(join(folder, 'trace'), 'utf8').split('\n').length - 1;
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      const where = places();
      traced(`-o /dev/null -e trace=write -e inject=write:signal=KILL:when=${Math.ceil(writes * part)}`, where);
      expectSound(where);
    }
  });

  it.each([1, 2])('at its rename number %i it leaves no half file, and the next run takes its traces away', (when) => {
    const where = places();
    expect(traced(`-o /dev/null -e trace=rename -e inject=rename:signal=KILL:when=${when}`, where).code).not.toBe(0);
    expect(readdirSync(where.scratch)).toHaveLength(1);
    expectSound(where);
  });
});

/** Each command that writes files, all it can write at once, with a smaller call that takes the traces of the larger away. */
const COMMANDS = [
  ['parts of a CSV', '"$IN" -o "$OUT/x.csv" --csv-split 4', '"$IN" -o "$OUT/x.csv"'],
  ['a divided timeline', '"$IN" -o "$OUT/x.jsonl" --split agent', '"$IN" -o "$OUT/x.jsonl"'],
  ['findings of secrets', '"$IN" -o "$OUT/x.jsonl" --secrets-sarif "$OUT/x.sarif"', '"$IN" -o "$OUT/y.csv"'],
  ['tables of an analysis', 'analyze "$IN" -o "$OUT"', 'analyze "$IN" -o "$OUT"'],
  ['a report page', 'report "$IN" -o "$OUT/x.html"', 'report "$IN" -o "$OUT/x.html"'],
  ['a merged timeline', 'merge "$WHOLE" -o "$OUT/x.jsonl"', 'merge "$WHOLE" -o "$OUT/x.jsonl"'],
] as const;

describe.skipIf(!CAN.trace)('killed while it writes (skipped where strace cannot be used)', () => {
  const small = join(folder, 'small');

  beforeAll(() => {
    writeFileDeep(
      join(small, 'chat.json'),
      saveExport('small', [
        ['one', 'two'],
        ['three', 'four'],
        ['five', 'six'],
      ]),
    );
    expect(kirotrail([small, '-q', '-o', join(folder, 'small.jsonl')]).code).toBe(0);
  });

  it.each(COMMANDS)('%s, at the first and the last rename, it leaves what the next run takes away', (_, call, next) => {
    const env = (out: string) => ({ IN: small, WHOLE: join(folder, 'small.jsonl'), OUT: out, TRACE: join(folder, 'renames') });
    const trace = (more: string, out: string) =>
      shell(`strace -f -qq -e trace=rename ${more} $KIROTRAIL ${call} -q --force`, { env: env(out) });
    const calm = places().out;
    expect(trace('-o "$TRACE"', calm).code).toBe(0);
    const renames = readFileSync(join(folder, 'renames'), 'utf8').split('\n').length - 1;
    for (const when of new Set([1, renames])) {
      const { out } = places();
      trace(`-o /dev/null -e inject=rename:signal=KILL:when=${when}`, out);
      const left = readdirSync(out);
      expect(left.filter((name) => name.endsWith('.partial'))).not.toEqual([]);
      expect(shell(`$KIROTRAIL ${next} -q --force`, { env: env(out) }).code).toBe(0);
      expect(readdirSync(out).filter((name) => name.startsWith('.'))).toEqual([]);
      expect(readdirSync(out)).toEqual(expect.arrayContaining(left.filter((name) => !name.startsWith('.'))));
    }
  });
});

/** Starts a run and sends a signal after a part of the time a whole one takes. */
function signalled(signal: NodeJS.Signals, part: number): Promise<Places> {
  const where = places();
  const args = [CLI, home, '-q', '-o', join(where.out, 'x.jsonl'), '--scratch', where.scratch, '--workers', '2'];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  setTimeout(() => child.kill(signal), duration * part);
  return new Promise((resolve) => child.on('exit', () => resolve(where)));
}

describe.each([0.2, 0.6, 0.9])('after %d of its time', (part) => {
  it('SIGKILL leaves no half file, and the next run takes its traces away', async () => {
    expectSound(await signalled('SIGKILL', part));
  });

  it('SIGTERM leaves nothing half at all', async () => {
    const where = await signalled('SIGTERM', part);
    expect(readdirSync(where.scratch)).toEqual([]);
    expect(readdirSync(where.out).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expectSound(where);
  });
});
