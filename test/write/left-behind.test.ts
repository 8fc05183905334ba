import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processMark } from '../../src/process/left-behind.js';
import { ReportFiles } from '../../src/report/write/files.js';
import { fileOutput } from '../../src/write/output.js';
import { testFolder } from '../support/cli.js';

const machine = processMark().split('-')[2] ?? '';
/** As of a process that has ended. */
const goneMark = () => `${spawnSync('true').pid}-1-${machine}`;

describe('what stands half written beside an output', () => {
  it('of a process that is gone is taken away, whatever output it was for', () => {
    const folder = testFolder();
    for (const name of ['x.csv', 'x-2.csv', 'x.csv.manifest.json', 'a\nb'])
      writeFileSync(join(folder, `.${name}.${goneMark()}.partial`), '');
    mkdirSync(join(folder, `.x-parts.${goneMark()}.partial/.part-001.html`), { recursive: true });
    fileOutput(join(folder, 'y.csv'), false).discard();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a process that runs, of another machine, a link, and whatever only looks alike stay', () => {
    const folder = testFolder();
    const live = fileOutput(join(folder, 'x.csv'), false);
    const kept = [
      `.x.csv.${goneMark().replace(machine, '00000000')}.partial`,
      `.x.csv.${spawnSync('true').pid}.partial`,
      `x.csv.${goneMark()}.partial`,
      `.x.csv.${goneMark()}.partial.txt`,
      `.${goneMark()}.partial`,
    ];
    for (const name of kept) writeFileSync(join(folder, name), '');
    const link = `.linked.${goneMark()}.partial`;
    symlinkSync('x', join(folder, link));
    fileOutput(join(folder, 'y.csv'), false).discard();
    const names = readdirSync(folder);
    expect(names.filter((name) => name !== `.x.csv.${processMark()}.partial`).sort()).toEqual([...kept, link].sort());
    live.discard();
    expect(readdirSync(folder)).toHaveLength(kept.length + 1);
  });

  it('of a long name has a short one', () => {
    const folder = testFolder();
    const name = `${'ä'.repeat(120)}.csv`;
    const output = fileOutput(join(folder, name), false);
    output.write(Buffer.from('x'));
    output.finish();
    expect(readdirSync(folder)).toEqual([name]);
  });
});

describe('parts of a report that were set aside by a run that was killed', () => {
  const left = () => {
    const folder = testFolder();
    const aside = join(folder, `.case-parts.${goneMark()}.old`);
    mkdirSync(aside);
    writeFileSync(join(aside, 'part-001.html'), 'earlier');
    return { folder, path: join(folder, 'case.html') };
  };

  it('are put back where none came into their place', () => {
    const { folder, path } = left();
    new ReportFiles(path, true).discard();
    expect(readdirSync(folder)).toEqual(['case-parts']);
    expect(readFileSync(join(folder, 'case-parts/part-001.html'), 'utf8')).toBe('earlier');
  });

  it('are taken away where others did', () => {
    const { folder, path } = left();
    mkdirSync(join(folder, 'case-parts'));
    writeFileSync(join(folder, 'case-parts/part-001.html'), 'later');
    new ReportFiles(path, true).discard();
    expect(readdirSync(folder)).toEqual(['case-parts']);
    expect(readFileSync(join(folder, 'case-parts/part-001.html'), 'utf8')).toBe('later');
  });
});
