import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kirotrail, sha256, testFolder } from '../support/cli.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const EXAMPLES = resolve('examples/many-machines');
const NAMES = ['ann', 'bob', 'cy', 'dee', 'eve', 'flo'] as const;
/** Comes later: its task fails at first. */
const LATE = 'cy';
const OPTIONS = ['--fingerprint-key', at('key')];

const has = (program: string) => spawnSync('which', [program]).status === 0;
const env = { ...process.env, KIROTRAIL: `${process.execPath} ${resolve('dist/cli.js')}` };

function call(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, [...args], { encoding: 'utf8', env: { ...env, ...more } });
  return { code: status, stdout, stderr };
}

function until(what: string, test: () => boolean): void {
  for (let i = 0; i < 240; i++) {
    if (test()) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  throw new Error(`waited in vain for ${what}`);
}

beforeAll(() => {
  writeFileSync(at('key'), 'a key of more than sixteen bytes');
  for (const [i, name] of NAMES.entries()) {
    const home = at(`evidence/${name}/home/${name}`);
    mkdirSync(home, { recursive: true });
    const part = i % 2 === 0 ? '.aws' : '.kiro';
    cpSync(`fixtures/home/${part}`, join(home, part), { recursive: true, preserveTimestamps: true });
  }
  writeFileSync(at('inputs.txt'), NAMES.map((name) => `${name}\t${at(`evidence/${name}`)}\n`).join(''));
});

const hideLate = () => renameSync(at(`evidence/${LATE}`), at(`late-${LATE}`));
const showLate = () => renameSync(at(`late-${LATE}`), at(`evidence/${LATE}`));
const done = (out: string) =>
  readdirSync(out)
    .filter((name) => !name.startsWith('.') && !name.startsWith('all.'))
    .sort();

/** One run over everything, as a single machine would do it. */
function wholeRun(): string[] {
  const output = at('whole.jsonl');
  kirotrail([...NAMES.map((name) => at(`evidence/${name}`)), '-f', 'jsonl', '-q', '--force', '-o', output, ...OPTIONS]);
  return idsIn(output);
}

const idsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { source_file, row_id, duplicate_of, timestamp_utc } = JSON.parse(line);
      return `${timestamp_utc} ${source_file} ${row_id} ${duplicate_of}`;
    });

describe.skipIf(!has('parallel'))('GNU parallel (Debian package parallel)', () => {
  const out = at('out-parallel');
  const run = () => call(join(EXAMPLES, 'parallel.sh'), [at('inputs.txt'), out, ...OPTIONS]);

  it('does all inputs but the one that fails; a second call does that one alone, and merges', () => {
    hideLate();
    expect(run().code).not.toBe(0);
    expect(done(out)).toEqual(NAMES.filter((name) => name !== LATE));
    expect(existsSync(join(out, 'all.jsonl'))).toBe(false);
    const before = sha256(readFileSync(join(out, 'ann/timeline.jsonl.manifest.json')));
    showLate();
    expect(run().code).toBe(0);
    expect(done(out)).toEqual(NAMES);
    expect(sha256(readFileSync(join(out, 'ann/timeline.jsonl.manifest.json')))).toBe(before);
    expect(idsIn(join(out, 'all.jsonl'))).toEqual(wholeRun());
  }, 120_000);
});

const slurm = has('slurmctld') && has('slurmd') && has('munged') && process.getuid?.() === 0;

describe.skipIf(!slurm)('Slurm (Debian packages slurm-wlm and munge; as root), two nodes on this machine', () => {
  const out = at('out-slurm');
  const conf = { SLURM_CONF: at('slurm/slurm.conf') };
  const count = (state: string) => Number(call('sinfo', ['-h', '-t', state, '-o', '%D'], conf).stdout || 0);
  const queued = () => call('squeue', ['-h', '-o', '%i %t'], conf).stdout.trim();
  const submit = () => call(join(EXAMPLES, 'slurm.sh'), [at('inputs.txt'), out, ...OPTIONS], conf);
  let munged = false;

  beforeAll(() => {
    const host = hostname().split('.')[0] ?? 'localhost';
    for (const name of ['state', 'spool.n1', 'spool.n2']) mkdirSync(at(`slurm/${name}`), { recursive: true });
    writeFileSync(conf.SLURM_CONF, slurmConf(host, at('slurm')));
    if (!existsSync('/run/munge/munged.pid')) {
      call('sh', [
        '-c',
        'mkdir -p /run/munge && chown munge:munge /run/munge && setpriv --reuid=munge --regid=munge --clear-groups munged',
      ]);
      munged = true;
    }
    for (const args of [
      ['slurmctld', '-c'],
      ['slurmd', '-N', 'n1'],
      ['slurmd', '-N', 'n2'],
    ]) {
      const [program = '', ...more] = args;
      expect(call(program, more, conf)).toMatchObject({ code: 0 });
    }
    until('two idle nodes', () => count('idle') === 2);
  }, 120_000);

  afterAll(() => {
    const pids = ['ctld.pid', 'd.n1.pid', 'd.n2.pid'].map((name) => readFileSync(at(`slurm/${name}`), 'utf8').trim());
    call('scontrol', ['shutdown'], conf);
    // They write into the folder of the test until they are gone.
    until('the end of Slurm', () => !pids.some((pid) => existsSync(`/proc/${pid}`)));
    if (munged) call('sh', ['-c', 'kill "$(cat /run/munge/munged.pid)"']);
  });

  it('does all inputs but the one that fails; a second call does that one alone, and merges', () => {
    hideLate();
    expect(submit()).toMatchObject({ code: 0, stdout: expect.stringContaining('array ') });
    until('the end of the first array', () => queued() === '');
    expect(done(out)).toEqual(NAMES.filter((name) => name !== LATE));
    expect(existsSync(join(out, 'all.jsonl'))).toBe(false);
    showLate();
    expect(submit().stdout).toMatch(/^array \d+: 3\n\d+\n$/);
    until('the merge', () => queued() === '' && existsSync(join(out, 'all.jsonl')));
    expect(done(out)).toEqual(NAMES);
    expect(idsIn(join(out, 'all.jsonl'))).toEqual(wholeRun());
    // Nothing half done is left behind.
    expect(readdirSync(out).filter((name) => name.startsWith('.part-'))).toEqual([]);
    rmSync(out, { recursive: true });
  }, 180_000);
});

function slurmConf(host: string, folder: string): string {
  const node = (name: string, port: number) =>
    `NodeName=${name} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${port} CPUs=1 RealMemory=1500`;
  return [
    'ClusterName=kirotrail',
    `SlurmctldHost=${host}(127.0.0.1)`,
    'SlurmUser=root',
    'SlurmdUser=root',
    'AuthType=auth/munge',
    'CryptoType=crypto/munge',
    'MpiDefault=none',
    'ReturnToService=2',
    'ProctrackType=proctrack/linuxproc',
    'TaskPlugin=task/none',
    'JobAcctGatherType=jobacct_gather/none',
    'AccountingStorageType=accounting_storage/none',
    'SelectType=select/cons_tres',
    'SelectTypeParameters=CR_Core',
    'SchedulerType=sched/backfill',
    'SlurmctldPort=16817',
    'SlurmdTimeout=10',
    `StateSaveLocation=${folder}/state`,
    `SlurmdSpoolDir=${folder}/spool.%n`,
    `SlurmctldPidFile=${folder}/ctld.pid`,
    `SlurmdPidFile=${folder}/d.%n.pid`,
    `SlurmctldLogFile=${folder}/ctld.log`,
    `SlurmdLogFile=${folder}/d.%n.log`,
    node('n1', 17001),
    node('n2', 17002),
    'PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP',
    '',
  ].join('\n');
}
