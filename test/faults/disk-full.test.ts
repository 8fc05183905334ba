import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shell, testFolder } from '../support/cli.js';
import { CAN, wideHome } from './support.js';

const folder = testFolder();
let home = '';

beforeAll(() => {
  home = wideHome(folder);
});

/** Runs with a small file system over `$SMALL`, seen by this call only; prints what is left there. */
function onSmall(options: string, args: string) {
  const small = mkdtempSync(join(folder, 'small-'));
  const other = mkdtempSync(join(folder, 'other-'));
  const line = `unshare -m sh -c 'mount -t tmpfs -o ${options} tmpfs "$SMALL" && { $KIROTRAIL "$IN" -q ${args}; code=$?; ls -A "$SMALL" "$OTHER"; exit $code; }'`;
  const { code, stdout, stderr } = shell(line, { env: { SMALL: small, OTHER: other, IN: home } });
  const left = stdout
    .toString()
    .split('\n')
    .filter((name) => name !== '' && !name.endsWith(':'));
  return { code, stderr, left };
}

const FULL = { code: 70, stderr: expect.stringMatching(/^kirotrail: [^\n]*(?:ENOSPC|no space left)[^\n]*\n$/), left: [] };

describe.skipIf(!CAN.mount)('a full disk (skipped where nothing can be mounted)', () => {
  it.each([
    ['the output', 'size=1m', '-o "$SMALL/x.csv" --scratch "$OTHER"'],
    ['the scratch folder', 'size=1m', '-o "$OTHER/x.jsonl" --scratch "$SMALL"'],
    ['the scratch folder of worker threads', 'size=1m', '-o "$OTHER/x.jsonl" --scratch "$SMALL" --workers 2'],
    ['the scratch folder, with no room for another file', 'size=5m,nr_inodes=2', '-o "$OTHER/x.jsonl" --scratch "$SMALL"'],
    ['both', 'size=5m', '-o "$SMALL/x.csv" --scratch "$SMALL"'],
  ])('of %s ends the run in one line, and leaves no file', (_, options, args) => {
    expect(onSmall(options, args)).toEqual(FULL);
  });

  it('with no room for another file is found before anything is read', () => {
    const { code, stderr, left } = onSmall('size=5m,nr_inodes=2', '-o "$SMALL/x.csv" --scratch "$OTHER"');
    expect({ code, left }).toEqual({ code: 2, left: [] });
    expect(stderr).toMatch(/^kirotrail: cannot write [^\n]* \(ENOSPC\)\n$/);
  });

  it('that is large enough is no fault: short writes are gone on with', () => {
    const { code, left } = onSmall('size=64m', '-o "$SMALL/x.csv" --scratch "$SMALL"');
    expect({ code, left: left.sort() }).toEqual({ code: 0, left: ['x.csv', 'x.csv.manifest.json'] });
  });
});
