import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readDocuments } from '../../src/catalog/documents.js';
import { COLUMNS } from '../../src/rows/row.js';
import { copyHome, filesIn, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PackageSchema = z.looseObject({ name: z.string(), version: z.string(), dependencies: z.record(z.string(), z.string()) });
const { version, dependencies } = PackageSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

const folder = testFolder();
const installed = join(folder, 'project/node_modules/kirotrail');
const command = join(folder, 'project/node_modules/.bin/kirotrail');
let files: string[];

function call(program: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 60_000 });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** The files below `dist` that one of them names, itself included. */
function reached(entry: string): Set<string> {
  const found = new Set([entry]);
  for (const name of found) {
    const text = readFileSync(join(installed, 'dist', name), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:\bfrom |\bimport\(|^import )["'](\.{1,2}\/[^"']+)["']/gm)) {
      const there = join(dirname(name), path);
      found.add(name.endsWith('.d.ts') ? there.replace(/\.js$/, '.d.ts') : there);
    }
  }
  return found;
}

/** Packs the checkout and lays the package out as an install without network would: dependencies are those of the checkout. */
beforeAll(() => {
  const npm = call('npm', ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', folder], ROOT);
  expect([npm.status, npm.stderr]).toEqual([0, '']);
  const tarball = join(folder, `kirotrail-${version}.tgz`);
  expect(existsSync(tarball)).toBe(true);
  mkdirSync(installed, { recursive: true });
  expect(call('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], folder).status).toBe(0);
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'project/node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  mkdirSync(dirname(command));
  symlinkSync('../kirotrail/dist/cli.js', command);
  chmodSync(join(installed, 'dist/cli.js'), 0o755);
  files = filesIn(installed);
});

describe('the package', () => {
  it('holds the program, its catalog and its documents, and nothing of the workshop', () => {
    const allowed =
      /^(?:dist\/.+\.(?:js|d\.ts)|dist\/catalog\.json|dist\/licenses\.txt|dist\/report\/(?:page\.css|shell\.json)|catalog\/.+|docs\/.+\.(?:md|json)|queries\/.+\.sql|examples\/.+\.sh|man\/kirotrail\.1|LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;
    expect(files.filter((name) => !allowed.test(name))).toEqual([]);
    expect(
      files.filter((name) => /(?:^|\/)(?:tests?|fixtures|bench|scripts|node_modules)\/|\.test\.|\.map$|\.tsbuildinfo$/.test(name)),
    ).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'dist/cli.js', 'dist/index.js', 'dist/index.d.ts', 'package.json']));
    const catalog = filesIn(join(ROOT, 'catalog')).map((name) => `catalog/${name}`);
    expect(files.filter((name) => name.startsWith('catalog/'))).toEqual(catalog.sort());
  });

  it('holds the program, the library, and none of which the source is gone (then: build again)', () => {
    const built = files.filter((name) => name.startsWith('dist/')).map((name) => name.slice(5));
    const program = [...reached('cli.js'), 'pipeline/worker.js', 'licenses.txt', 'catalog.json'];
    const page = ['report/page.css', 'report/page.js', 'report/shell.json'];
    const library = built.filter((name) => ![...program, ...page].includes(name));
    expect(built).toEqual(expect.arrayContaining([...program, ...page, ...reached('index.js'), ...reached('index.d.ts')]));
    const modules = [...new Set(library.map((name) => name.replace(/(?:\.d\.ts|\.js)$/, '')))];
    expect(library).toEqual(modules.flatMap((name) => [`${name}.d.ts`, `${name}.js`]).sort());
    expect(modules.filter((name) => !existsSync(join(ROOT, 'src', `${name}.ts`)))).toEqual([]);
  });

  it('brings the licences of the packages that its files contain', () => {
    const notices = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8');
    const named = [...notices.matchAll(/^([a-z0-9-]+) \d+\.\d+\.\d+ \([\w.-]+\)$/gm)].map((match) => match[1]);
    // The database library is compiled, and stays outside.
    const bundled = Object.keys(dependencies).filter((name) => name !== 'better-sqlite3');
    expect(named).toEqual(expect.arrayContaining(bundled));
    expect(notices.match(/Permission|Apache License/g)?.length).toBeGreaterThanOrEqual(named.length);
  });

  it('holds the catalog as it stands in its YAML files', () => {
    const built: unknown = JSON.parse(readFileSync(join(installed, 'dist/catalog.json'), 'utf8'));
    expect(built).toEqual(Object.fromEntries(readDocuments(join(ROOT, 'catalog'))));
  });

  it('names no path of the machine it was made on, and no source map', () => {
    for (const name of files) {
      const text = readFileSync(join(installed, name), 'latin1');
      expect([name, text.includes(ROOT), /^\/\/# sourceMappingURL/m.test(text)]).toEqual([name, false, false]);
    }
  });

  it('runs where it is installed, reads a home and gives the rows of the checkout', () => {
    const home = copyHome(join(folder, 'home'));
    const own = call(process.execPath, [join(ROOT, 'dist/cli.js'), home, '-q', '-f', 'jsonl'], folder);
    for (const more of [[], ['--workers', '2']]) {
      const { status, stdout, stderr } = call(command, [home, '-q', '-f', 'jsonl', ...more], join(folder, 'project'));
      expect([status, stderr]).toEqual([1, '']);
      expect(stdout).toBe(own.stdout);
    }
    expect(call(command, ['--version'], folder).stdout).toBe(`${version}\n`);
    expect(call(command, ['catalog'], folder).status).toBe(0);
  });

  it('runs the examples of docs/library.md as they stand there', () => {
    const page = readFileSync(join(installed, 'docs/library.md'), 'utf8');
    const examples = [...page.matchAll(/```js run\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    expect(examples).toHaveLength(2);
    const project = join(folder, 'project');
    writeFileDeep(join(project, 'evidence/chat.json'), saveExport('c', [['list the files', 'There are two.']]));
    const told = examples.map((example, i) => {
      writeFileSync(join(project, `example-${i}.mjs`), example);
      const { status, stdout, stderr } = call(process.execPath, [`example-${i}.mjs`], project);
      expect([status, stderr]).toEqual([0, '']);
      return stdout;
    });
    expect(told[0]).toBe('2025-11-01T10:00:00.000Z prompt list the files\n1 file read, 0 problems\n');
    expect(told[1]).toBe('first prompt: list the files\n');
  });

  it('is imported by its name, with exactly the documented names', () => {
    const project = join(folder, 'project');
    const evidence = writeFileDeep(join(folder, 'one/chat.json'), saveExport('c', [['hello', 'hi']]));
    const script = `
      import * as kirotrail from 'kirotrail';
      const { run, COLUMNS, RowSchema, ManifestSchema, UsageError, loadCatalog } = kirotrail;
      const filter = { keepUndated: false, rowTypes: [], sessions: [], projects: [] };
      const options = { paths: [${JSON.stringify(evidence)}], output: 'out.jsonl', format: 'jsonl', force: false,
        host: '', user: '', filter, keepDuplicates: true, csv: { raw: false, bom: false }, allFiles: false,
    recover: true, secrets: { policy: 'off', least: 'medium' }, argv: [] };
      const { manifest } = await run(options);
      const again = await run(options).catch((error) => error instanceof UsageError);
      console.log(JSON.stringify({ names: Object.keys(kirotrail).sort(), columns: COLUMNS, again,
        manifest: ManifestSchema.safeParse(manifest).success, row: typeof RowSchema.parse, stores: loadCatalog().length > 10 }));
    `;
    writeFileSync(join(project, 'script.mjs'), script);
    const { status, stdout, stderr } = call(process.execPath, ['script.mjs'], project);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      names: [
        'COLUMNS',
        'FindingSchema',
        'ManifestSchema',
        'RowSchema',
        'SessionSchema',
        'UsageError',
        'analyze',
        'loadCatalog',
        'readEvidence',
        'report',
        'run',
      ],
      columns: COLUMNS,
      again: true,
      manifest: true,
      row: 'function',
      stores: true,
    });
    expect(rowsOf(readFileSync(join(project, 'out.jsonl'))).map((row) => row.text)).toEqual(expect.arrayContaining(['hello', 'hi']));
    writeFileSync(join(project, 'deep.mjs'), "await import('kirotrail/dist/pipeline/run.js');");
    expect(call(process.execPath, ['deep.mjs'], project).stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
