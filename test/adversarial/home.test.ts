import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kirotrail, manifestOf, rowsOf, saveExport, shell, stateOf, testFolder, writeFileDeep } from '../support/cli.js';

const folder = testFolder();

describe('a home that is a trap', () => {
  const home = join(folder, 'home');
  const outside = join(folder, 'outside');
  const canMakeDevices = () => spawnSync('mknod', [join(folder, 'probe'), 'c', '1', '5'], { stdio: 'ignore' }).status === 0;

  it('of pipes, devices and links out of it is read to its end, names them, and opens none', () => {
    writeFileDeep(join(outside, 'secret.json'), saveExport('outside', [['not to be read', 'no']]));
    writeFileDeep(join(home, 'chat.json'), saveExport('inside', [['hello', 'hi']]));
    const q = join(home, '.aws/amazonq');
    mkdirSync(join(q, 'cli-agents'), { recursive: true });
    execFileSync('mkfifo', [join(q, '.cli_bash_history')]);
    const devices = canMakeDevices();
    if (devices) {
      execFileSync('mknod', [join(q, 'cli-agents/zero.json'), 'c', '1', '5']);
      execFileSync('mknod', [join(q, 'cli-agents/disk.json'), 'b', '7', '200']);
    } else console.log('devices are left out: only root makes them');
    symlinkSync(join(outside, 'secret.json'), join(home, 'linked.json'));
    symlinkSync(outside, join(home, 'folder'));
    symlinkSync('/dev/zero', join(q, 'cli-agents/link.json'));
    symlinkSync('..', join(home, 'up'));
    const before = stateOf(outside);
    const out = join(folder, 'x.jsonl');
    expect(kirotrail([home, '-q', '-o', out]).code).toBe(0);
    const { not_read } = manifestOf(`${out}.manifest.json`);
    expect(not_read.links.map(({ path }) => path)).toEqual(['.aws/amazonq/cli-agents/link.json', 'folder', 'linked.json', 'up']);
    expect(not_read.special_files.map(({ kind }) => kind)).toEqual(devices ? ['fifo', 'device', 'device'] : ['fifo']);
    const rows = rowsOf(shell('cat "$OUT"', { env: { OUT: out } }).stdout);
    expect(new Set(rows.map((row) => row.source_file))).toEqual(new Set(['chat.json']));
    expect(stateOf(outside)).toEqual(before);
  });
});

/** One line of 64 MB; of 500 MB, beyond what is held in memory, where KIROTRAIL_LARGE is set. */
const MEGABYTES = process.env.KIROTRAIL_LARGE === undefined ? 64 : 500;

describe(`a line of ${MEGABYTES} MB`, () => {
  const piece = Buffer.alloc(1 << 20, 'one line and no end ');

  function longLine(path: string, before: string, after: string): void {
    writeFileDeep(path, before);
    const file = openSync(path, 'a');
    for (let i = 0; i < MEGABYTES; i++) writeSync(file, piece);
    writeSync(file, after);
    closeSync(file);
  }

  it.each([
    ['of text', '.aws/amazonq/.cli_bash_history', '#V2\nfirst\n', '\nlast\n'],
    [
      'of a session journal',
      '.kiro/sessions/cli/eeeeeeee-0000-4000-8000-000000000009.jsonl',
      '{"version":"v1","kind":"Prompt","data":{"message_id":"p1","content":[{"kind":"text","data":"first"}]}}\n{"version":"v1","kind":"Prompt","data":{"message_id":"p2","content":[{"kind":"text","data":"',
      '"}]}}\n{"version":"v1","kind":"Prompt","data":{"message_id":"p3","content":[{"kind":"text","data":"last"}]}}\n',
    ],
  ])('%s is read or named, and the lines around it are read', (name, path, before, after) => {
    const home = join(folder, `long ${name}`);
    longLine(join(home, path), before, after);
    // Lengths alone: the output has the line again.
    const pick = `$KIROTRAIL "$IN" -q -f jsonl --secrets off | node -e '
      let rows = []; let rest = "";
      process.stdin.on("data", (d) => { rest += d; const l = rest.split("\\n"); rest = l.pop(); rows.push(...l.map((x) => JSON.parse(x))); });
      process.stdin.on("end", () => console.log(JSON.stringify(rows.filter((r) => r.row_type === "prompt" || r.row_type === "error").map((r) => r.text.length < 99 ? r.text : r.text.length))));'`;
    const { stdout, stderr } = shell(pick, { env: { IN: home } });
    expect(stderr).toBe('');
    const texts: unknown = JSON.parse(stdout.toString());
    const middle = MEGABYTES > 256 ? expect.anything() : MEGABYTES << 20;
    expect(texts).toEqual(['first', middle, 'last']);
  });
});
