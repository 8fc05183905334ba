import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, manifestOf, rowsOf, sha256, shell, stateOf, testFolder } from '../support/cli.js';
import { AS_NOBODY, CAN, wideHome } from './support.js';

const folder = testFolder();
const DATABASE = '.local/share/amazon-q/data.sqlite3';
const HISTORY = '.aws/amazonq/.cli_bash_history';
let home = '';
let whole: { code: number | null; hash: string };

beforeAll(() => {
  home = copyHome(join(folder, 'home'));
  const { code, stdout } = kirotrail([home, '-q', '-f', 'jsonl']);
  whole = { code, hash: sha256(stdout) };
});

/** Output and manifest of a line of `sh` in which `$RUN` is the call. */
function under(line: string, options = '') {
  const out = mkdtempSync(join(folder, 'out-'));
  // Readable by nobody, too, where a test drops its rights.
  chmodSync(out, 0o777);
  const run = `$KIROTRAIL "$IN" -q -f jsonl -o "$OUT/x" --scratch "$OUT" ${options}`;
  const { code, stderr } = shell(line.replace('RUN', run), { env: { IN: home, OUT: out } });
  const bytes = readFileSync(join(out, 'x'));
  return { code, stderr, hash: sha256(bytes), rows: rowsOf(bytes), manifest: manifestOf(join(out, 'x.manifest.json')) };
}

const problemsOf = ({ manifest }: ReturnType<typeof under>, file: string) => {
  const input = manifest.inputs.find((candidate) => candidate.path.endsWith(file));
  return { status: input?.status, problems: input?.problems.join('\n') ?? 'not listed' };
};

describe('parts that cannot be read', () => {
  it.skipIf(!CAN.beNobody)('for want of rights are rows, and the rest is read (skipped where rights cannot be dropped)', () => {
    const before = readFileSync(join(home, DATABASE));
    for (const name of [DATABASE, HISTORY]) chmodSync(join(home, name), 0o600);
    chmodSync(folder, 0o755);
    mkdirSync(join(home, 'shut'), { mode: 0o700 });
    const result = under(`${AS_NOBODY} RUN`);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: '' });
    for (const name of [DATABASE, HISTORY]) {
      expect(problemsOf(result, name)).toEqual({ status: 'unread', problems: 'could not be read: permission denied (EACCES)' });
    }
    expect(result.manifest.not_read.errors).toEqual([{ path: 'shut', problem: 'permission denied (EACCES)' }]);
    expect(result.rows.filter((row) => row.text.includes('shut: could not be read'))).toHaveLength(1);
    expect(result.rows.length).toBeGreaterThan(100);
    expect(readFileSync(join(home, DATABASE)).equals(before)).toBe(true);
  });

  it.skipIf(!CAN.trace)('for a fault of the disk are rows that say so, and the rest is read (skipped without strace)', () => {
    for (const name of [DATABASE, HISTORY]) {
      const trace = `strace -f -qq -o /dev/null -P "$IN/${name}" -e trace=read,pread64 -e inject=read,pread64:error=EIO:when=2+`;
      const result = under(`${trace} RUN`, '--workers 0');
      expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 1, stderr: '' });
      expect(problemsOf(result, name).problems).toContain('input/output error (EIO)');
      expect(result.rows.length).toBeGreaterThan(100);
    }
  });
});

it.skipIf(!CAN.beNobody)(
  'a log that cannot be opened is not called missing by the file beside it (skipped where rights cannot be dropped)',
  () => {
    const session = '.kiro/sessions/5d3ecfbcf35f9605/cli_7d0e1c52-3b1f-4a60-9c55-0b6f0e3a9d11_ab12cd34';
    const log = join(home, session, 'messages.jsonl');
    chmodSync(log, 0o600);
    chmodSync(folder, 0o755);
    for (const workers of [0, 2]) {
      const result = under(`${AS_NOBODY} RUN`, `--workers ${workers}`);
      const denied = 'could not be read: permission denied (EACCES)';
      expect(problemsOf(result, `${session}/messages.jsonl`)).toEqual({ status: 'unread', problems: denied });
      const beside = { status: 'partly_read', problems: `messages.jsonl beside it ${denied}` };
      expect(problemsOf(result, `${session}/session.json`)).toEqual(beside);
      expect(result.rows.filter((row) => row.text === 'gap: session without a message log')).toEqual([]);
    }
    chmodSync(log, 0o644);
  },
);

describe('a file that is written to while it is read', () => {
  it.skipIf(!CAN.trace).each([
    ['in this thread', '--workers 0'],
    ['in a worker', '--workers 1'],
  ])('is named in rows and manifest (%s; skipped without strace)', (_, options) => {
    const own = join(folder, `growing ${options}`);
    mkdirSync(join(own, '.aws/amazonq'), { recursive: true });
    writeFileSync(join(own, HISTORY), '#V2\nfirst\nsecond\n');
    const trace = `strace -f -qq -o /dev/null -P "$IN/${HISTORY}" -e trace=pread64 -e inject=pread64:delay_enter=700000`;
    const grow = `{ while :; do echo more >>"$IN/${HISTORY}"; sleep 0.05; done & } ; grow=$!; ${trace} RUN; code=$?; kill $grow; exit $code`;
    const saved = home;
    home = own;
    const result = under(grow, options);
    home = saved;
    expect(result.code).toBe(1);
    expect(problemsOf(result, HISTORY)).toEqual({ status: 'partly_read', problems: 'changed while being read' });
    expect(result.rows.filter((row) => row.row_type === 'error').map((row) => row.problem)).toEqual([
      `${HISTORY}: changed while being read`,
    ]);
    appendFileSync(join(own, HISTORY), '');
  });
});

describe('with fewer file descriptors than the threads need', () => {
  // Which thread gets the last one is chance: what must hold is told of each way it can end.
  it.each([30, 34, 38])(
    '(%i) nothing is said to be missing that is there: rows are those of a whole run, or their file has an error row',
    (n) => {
      const sayings = (rows: readonly Row[]) => new Set(rows.map(({ row_id, text }) => `${row_id} ${text}`));
      const all = sayings(rowsOf(kirotrail([home, '-q', '-f', 'jsonl']).stdout));
      const { code, stdout, stderr } = shell(`ulimit -n ${n}; $KIROTRAIL "$IN" -q -f jsonl --workers 4`, { env: { IN: home } });
      if (code === 70) expect(stderr).toMatch(/^kirotrail: system error: EMFILE[^\n]*\n$/);
      else expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      const rows = rowsOf(stdout);
      const doubted = new Set(rows.filter((row) => row.row_type === 'error').map((row) => row.source_file));
      const told = rows.filter((row) => !doubted.has(row.source_file));
      expect([...sayings(told)].filter((saying) => !all.has(saying))).toEqual([]);
    },
  );
});

describe('the same rows', () => {
  it('with 64 file descriptors, a quarter of the fewest a system gives as a rule', () => {
    for (const workers of [0, 2, 4]) {
      const { code, hash } = under('ulimit -n 64; RUN', `--workers ${workers}`);
      expect({ code, hash }).toEqual(whole);
    }
  });

  it.skipIf(!CAN.limitMemory)('in 300 MB of memory (skipped where memory cannot be limited)', () => {
    const wide = wideHome(folder);
    const group = '/sys/fs/cgroup/memory/kirotrail-$$';
    const limited = `mkdir ${group} && echo 300M >${group}/memory.limit_in_bytes && ( sh -c 'echo $PPID' >${group}/cgroup.procs; RUN ); code=$?; rmdir ${group}; exit $code`;
    const saved = home;
    home = wide;
    const { code, hash } = under(limited, '--workers 2');
    const free = under('RUN', '--workers 2');
    home = saved;
    expect({ code, hash }).toEqual({ code: 0, hash: free.hash });
  });

  it.skipIf(!CAN.mount)('from a file system that cannot be written to (skipped where nothing can be mounted)', () => {
    const before = stateOf(home);
    const { code, hash } = under(`unshare -m sh -c 'mount --bind "$IN" "$IN" && mount -o remount,ro,bind "$IN" && RUN'`);
    expect({ code, hash }).toEqual(whole);
    expect(stateOf(home)).toEqual(before);
  });

  it.skipIf(!CAN.leaveNetwork)('without a network (skipped where it cannot be left)', () => {
    const { code, hash } = under(`unshare -n sh -c 'RUN'`);
    expect({ code, hash }).toEqual(whole);
  });
});
