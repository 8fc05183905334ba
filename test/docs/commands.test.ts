import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CLI, saveExport, shell, testFolder, writeFileDeep } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = testFolder();
const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'));

/** Commands of a page that are marked to be run, line by line. */
function commandsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh run\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n').filter(Boolean));
}

/** What the pages speak of: the fixtures, a home, a disk with homes, a saved chat; and the program under its name. */
function scratchCopy(name: string): string {
  const place = join(folder, name.replaceAll('/', '-'));
  mkdirSync(place);
  for (const target of ['fixtures/home', 'home', 'image/home/mira'])
    cpSync(join(ROOT, 'fixtures/home'), join(place, target), { recursive: true });
  writeFileDeep(join(place, 'saved-chat.md'), saveExport('chat', [['hello', 'hi']]));
  chmodSync(writeFileDeep(join(place, 'bin/kirotrail'), `#!/bin/sh\nexec ${process.execPath} ${CLI} "$@"\n`), 0o755);
  return place;
}

describe('commands of the documents', () => {
  it('are there to be run', () => {
    expect(pages.filter((page) => commandsOf(page).length > 0).sort()).toEqual([
      'README.md',
      'docs/collecting.md',
      'docs/mapping.md',
      'docs/tools.md',
    ]);
  });

  it.each(pages.filter((page) => commandsOf(page).length > 0))('%s: each does what it says', (page) => {
    const cwd = scratchCopy(page);
    for (const command of commandsOf(page)) {
      const { code, stderr } = shell(command, { cwd, env: { PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, HOME: cwd } });
      expect([command, code, stderr]).toEqual([command, 0, expect.not.stringContaining('kirotrail:')]);
      const [, output] = /(?:-o|>>?) ([\w./~-]+\w)/.exec(command.replace(/ +#.*/, '')) ?? [];
      if (output !== undefined) expect(statSync(join(cwd, output.replace('~/', ''))).size).toBeGreaterThan(100);
    }
  });
});
