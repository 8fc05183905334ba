/**
 * Speed and memory of reading archives, before any row is made: `tsx bench/archives.ts [--megabytes 300] [--members 200000]`.
 * Each line is a process of its own. `passed`: members that are of no interest by their names; `unpacked`: all of them are evidence.
 * The tars are made with the programs `tar`, `gzip` and `zstd`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadCatalog } from '../src/catalog/load.js';
import { collectEvidence } from '../src/collect/evidence.js';
import { PARSERS } from '../src/parsers/index.js';
import { zip } from '../test/support/archives.js';
import { createRandom } from './random.js';

const EACH = 1_000_000;

/** Records that compress about as well as transcripts do. */
function lines(bytes: number, seed: number): Buffer {
  const random = createRandom(seed, 1);
  const words = Array.from({ length: 4000 }, () => random.int(0, 1e9).toString(36));
  const parts: string[] = [];
  for (let size = 0; size < bytes; ) {
    const text = Array.from({ length: 40 }, () => random.pick(words)).join(' ');
    const line = `{"version":"v1","kind":"AssistantMessage","data":{"message_id":"${random.int(0, 1e9)}","content":[{"kind":"text","data":"${text}"}]}}\n`;
    parts.push(line);
    size += line.length;
  }
  return Buffer.from(parts.join(''));
}

function makeTars(folder: string, megabytes: number): void {
  const content = lines(8 * EACH, 1);
  for (const [kind, place, ending] of [
    ['passed', 'data', 'bin'],
    ['unpacked', 'home/ann/.kiro/sessions/cli', 'jsonl'],
  ] as const) {
    mkdirSync(join(folder, kind, place), { recursive: true });
    for (let i = 0; i < megabytes; i++) {
      const at = (i % 7) * EACH + (i % 1000);
      const id = `7d0e1c52-1111-4222-8333-${String(i).padStart(12, '0')}`;
      writeFileSync(join(folder, kind, place, `${id}.${ending}`), content.subarray(at, at + EACH));
    }
    const shell = (line: string) => execFileSync('/bin/sh', ['-c', line], { cwd: folder });
    shell(`tar -cf ${kind}.tar -C ${kind} . && gzip -k ${kind}.tar && zstd -q ${kind}.tar`);
    rmSync(join(folder, kind), { recursive: true });
  }
}

function makeZip(path: string, members: number): void {
  const entries = Array.from({ length: members }, (_, i) => ({
    name: `home/ann/photos/${i % 400}/picture-${i}.png`,
    data: 'x',
    method: 0,
  }));
  writeFileSync(path, zip(entries, { wide: true }));
}

async function measure(path: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'kirotrail-bench-'));
  const detectors = PARSERS.flatMap(({ id, detect }) => (detect === undefined ? [] : [{ store: id, detect }]));
  const stores = loadCatalog();
  const before = process.resourceUsage().maxRSS;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  try {
    const { archives, artifacts } = await collectEvidence([path], stores, { detectors, scratch });
    const seconds = (performance.now() - started) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    const rss = process.resourceUsage().maxRSS;
    const members = archives[0]?.members ?? 0;
    console.log(
      JSON.stringify({
        seconds,
        cpuSeconds: (cpu.user + cpu.system) / 1e6,
        members,
        artifacts: artifacts.length,
        rssMiB: rss / 1024,
        beforeMiB: before / 1024,
      }),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { megabytes: { type: 'string', default: '300' }, members: { type: 'string', default: '200000' } },
  });
  const [path] = positionals;
  if (path !== undefined) {
    measure(path).catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-archives-'));
  try {
    makeTars(folder, Number(values.megabytes));
    makeZip(join(folder, 'members.zip'), Number(values.members));
    console.log('| Archive | Size MB | Members | Seconds | CPU s | MB/s of content | Peak RSS MiB |\n|---|---:|---:|---:|---:|---:|---:|');
    for (const name of ['members.zip', ...['passed', 'unpacked'].flatMap((kind) => [`${kind}.tar`, `${kind}.tar.gz`, `${kind}.tar.zst`])]) {
      const file = join(folder, name);
      const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), file], {
        encoding: 'utf8',
      });
      if (stdout === '') throw new Error(stderr);
      const { seconds, cpuSeconds, members, rssMiB } = JSON.parse(stdout) as Record<
        'seconds' | 'cpuSeconds' | 'members' | 'rssMiB',
        number
      >;
      const speed = name === 'members.zip' ? '' : (Number(values.megabytes) / seconds).toFixed(0);
      console.log(
        `| ${name} | ${(statSync(file).size / 1e6).toFixed(0)} | ${members} | ${seconds.toFixed(2)} | ${cpuSeconds.toFixed(2)} | ${speed} | ${rssMiB.toFixed(0)} |`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main();
