import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { forensicArtifacts } from '../../src/catalog/collectors/forensicartifacts.js';
import { kape } from '../../src/catalog/collectors/kape.js';
import { placesOn, SIDECARS, SYSTEMS } from '../../src/catalog/collectors/places.js';
import { velociraptor } from '../../src/catalog/collectors/velociraptor.js';
import { loadCatalog } from '../../src/catalog/load.js';
import { copyHome, filesIn, kirotrail, manifestOf, shell, testFolder, writeFileDeep } from '../support/cli.js';
import { have } from '../support/peers.js';

const folder = testFolder();
const at = (name: string) => join(folder, name);
const stores = loadCatalog();
const named = stores.filter((store) => store.places.length > 0);

describe('places by system', () => {
  it('cover every place of every store, on each system', () => {
    for (const system of SYSTEMS)
      expect(new Set(placesOn(stores, system).map(({ store }) => store.id))).toEqual(new Set(named.map(({ id }) => id)));
  });

  it('put programs where they keep their data', () => {
    const paths = (system: 'linux' | 'darwin' | 'windows', id: string) =>
      placesOn(stores, system)
        .filter(({ store }) => store.id === id)
        .map(({ path }) => path);
    expect(paths('linux', 'q-sqlite')).toContain('.local/share/amazon-q/data.sqlite3');
    expect(paths('darwin', 'q-sqlite')).toContain('Library/Application Support/kiro-cli/data.sqlite3-wal');
    expect(paths('windows', 'q-sqlite')).toEqual(
      expect.arrayContaining(['AppData/Local/kiro-cli/data.sqlite3', 'AppData/Roaming/kiro-cli/data.sqlite3-journal']),
    );
    expect(paths('windows', 'kiro-ide-state')).toContain('AppData/Roaming/Kiro/User/globalStorage/state.vscdb-wal');
    expect(paths('linux', 'kiro-ide-chat')).toContain('.config/Kiro/User/globalStorage/kiro.kiroagent/*/*.chat');
    expect(paths('linux', 'kiro-ide-chat')).toContain('.kiro-server/data/User/globalStorage/kiro.kiroagent/*/*.chat');
  });

  it('name with each database all that may stand beside it', () => {
    for (const system of SYSTEMS) {
      const all = new Set(placesOn(stores, system).map(({ path }) => path));
      const databases = [...all].filter((path) => /\.(?:sqlite3?|vscdb)$/.test(path));
      expect(databases.length).toBeGreaterThan(5);
      for (const path of databases) for (const suffix of SIDECARS) expect(all).toContain(path + suffix);
    }
  });
});

describe('--format velociraptor', () => {
  /** The published form of an artifact: names of members, and which of them a client artifact needs. */
  const Artifact = z.strictObject({
    name: z.string().regex(/^Custom(?:\.[A-Z]\w*)+$/),
    description: z.string().min(1),
    type: z.literal('CLIENT'),
    parameters: z.array(
      z.strictObject({ name: z.string().regex(/^\w+$/), description: z.string(), type: z.literal('csv'), default: z.string() }),
    ),
    sources: z.array(z.strictObject({ precondition: z.string(), query: z.string() })).min(1),
  });
  const artifact = Artifact.parse(parse(velociraptor(stores)));
  const table: Record<string, string>[] = parseCsv(artifact.parameters[0]?.default ?? '', { columns: true });

  it('is an artifact whose query is whole and uses what is declared', () => {
    const query = artifact.sources[0]?.query ?? '';
    for (const [open, close] of ['()', '{}', '[]']) expect(query.split(open ?? '').length).toBe(query.split(close ?? '').length);
    for (const { name } of artifact.parameters) expect(query).toMatch(new RegExp(`FROM ${name}\\b`));
    for (const column of ['Store', 'Evidence', 'Glob', 'System']) expect(query).toContain(column);
    expect(Object.keys(table[0] ?? {})).toEqual(['System', 'Store', 'Evidence', 'Glob']);
  });

  it('gives each pattern the evidence level of its store, and no pattern it does not know', () => {
    const levels = new Map(stores.map(({ id, evidence }) => [id, evidence]));
    for (const { System, Store, Evidence, Glob } of table) {
      expect(levels.get(Store ?? '')).toBe(Evidence);
      expect(Glob).toMatch(System === 'windows' ? /^C:\/Users\/\*\// : /^\//);
      expect(Glob).not.toMatch(/[!()[\]{}]|\/\//);
    }
    expect(table.length).toBeGreaterThan(500);
  });

  it('finds every file that kirotrail claims by its place, on a machine with a home', () => {
    copyHome(at('machine/home/mira'));
    kirotrail([at('machine'), '-q', '-o', at('found.jsonl')]);
    const globs = table.filter(({ System }) => System === 'linux').map(({ Glob }) => Glob ?? '');
    const matches = picomatch(globs, { dot: true, nocase: true });
    const missed = manifestOf(at('found.jsonl.manifest.json')).inputs.filter(({ path }) => !matches(`/${path}`));
    // Exports are known by content, and a temporary folder within a home is no place of a live machine.
    expect(missed.map(({ path }) => path).filter((path) => !/\/exports\/|\/tmp\//.test(path))).toEqual([]);
  });
});

describe('--format kape', () => {
  const Target = z.strictObject({
    Name: z.string().min(1),
    Category: z.string().min(1),
    Path: z.string().regex(/^C:\\(?:[^\\/:*?"<>|]*[%*]?[^\\/:?"<>|]*\\)+$/),
    FileMask: z.string().regex(/^[^\\/:"<>|]+$/),
    Recursive: z.boolean(),
    Comment: z.string(),
  });
  const Targets = z.strictObject({
    Description: z.string().min(1),
    Author: z.string().min(1),
    Version: z.number(),
    Id: z.guid(),
    RecreateDirectories: z.boolean(),
    Targets: z.array(Target).min(1),
  });

  it('is a target by its form, each with its evidence level, and none twice', () => {
    const { Targets: targets } = Targets.parse(parse(kape(stores)));
    const keys = targets.map(({ Path, FileMask, Recursive }) => `${Path}${FileMask} ${Recursive}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { Comment, Path } of targets) {
      expect(Comment).toMatch(/^Understood at L[1-4]: /);
      expect(Path).not.toContain('**');
    }
    const find = (path: string, mask: string) => targets.some(({ Path, FileMask }) => Path === path && FileMask === mask);
    for (const suffix of ['', ...SIDECARS])
      expect(find('C:\\Users\\%user%\\AppData\\Local\\amazon-q\\', `data.sqlite3${suffix}`)).toBe(true);
    expect(find('C:\\Users\\%user%\\.kiro\\sessions\\cli\\', '*.jsonl')).toBe(true);
    expect(find('C:\\Users\\%user%\\*\\*\\.kiro\\hooks\\', '*.json')).toBe(true);
  });
});

describe('--format forensicartifacts', () => {
  const VALIDATE = [
    'import json, sys',
    'from artifacts import reader, registry',
    'found = registry.ArtifactDefinitionsRegistry()',
    'found.ReadFromFile(reader.YamlArtifactsReader(), sys.argv[1])',
    'names = [d.name for d in found.GetDefinitions()]',
    'print(json.dumps({"names": names, "undefined": sorted(found.GetUndefinedArtifacts())}))',
  ].join('\n');

  it.runIf(have('artifacts'))('is valid to the validator of ForensicArtifacts, and its group names only what is there', () => {
    const path = writeFileDeep(at('kirotrail.yaml'), forensicArtifacts(stores));
    const run = spawnSync('/usr/bin/python3', ['-c', VALIDATE, path], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    const { names, undefined: missing } = JSON.parse(run.stdout);
    expect(missing).toEqual([]);
    expect(names).toHaveLength(named.length + 1);
  });

  it('says of each store how well it is understood', () => {
    const documents = forensicArtifacts(stores)
      .split('\n---\n')
      .slice(1)
      .map((text): unknown => parse(text));
    for (const document of documents.slice(1)) expect(Object(document).doc).toMatch(/Understood at L[1-4]: /);
    expect(forensicArtifacts(stores)).toContain('"%%users.homedir%%/.local/share/amazon-q/data.sqlite3-wal"');
    expect(forensicArtifacts(stores)).toContain('%%users.homedir%%\\\\AppData\\\\Local\\\\kiro-cli\\\\data.sqlite3');
  });
});

describe('the line for people without an engine', () => {
  const page = readFileSync(new URL('../../docs/collecting.md', import.meta.url), 'utf8');
  const line = /```sh collect\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const collect = (root: string, tar: string, into: string) => {
    expect(shell(line, { env: { ROOT: root, OUT: tar } }).code).toBe(0);
    mkdirSync(into);
    expect(shell('tar -xpf "$TAR" -C "$INTO"', { env: { TAR: tar, INTO: into } }).code).toBe(0);
  };

  it('takes a file at every place of the catalog', () => {
    const sample = (path: string) => path.replaceAll('**', 'a/b').replaceAll('*', 'x');
    for (const { home, path } of placesOn(stores, 'linux')) writeFileDeep(at(`full/${home ? 'home/u/' : ''}${sample(path)}`), '');
    mkdirSync(at('full/root'), { recursive: true });
    writeFileDeep(at('full/home/u/other.txt'), 'not wanted');
    collect(at('full'), at('full.tar'), at('full-copy'));
    expect(filesIn(at('full-copy'))).toEqual(filesIn(at('full')).filter((name) => name !== 'home/u/other.txt'));
  });

  it('gives the same rows as the machine it was taken from', () => {
    copyHome(at('live/home/mira'));
    for (const name of ['root', 'tmp', 'run/user']) mkdirSync(at(`live/${name}`), { recursive: true });
    collect(at('live'), at('live.tar'), at('live-copy'));
    for (const name of ['live', 'live-copy']) kirotrail([at(name), '-q', '-o', at(`${name}.jsonl`)]);
    expect(readFileSync(at('live-copy.jsonl')).equals(readFileSync(at('live.jsonl')))).toBe(true);
    expect(filesIn(at('live-copy')).length).toBeLessThan(filesIn(at('live')).length);
  });
});

describe('kirotrail catalog', () => {
  it('2: an unknown format, with the known ones', () => {
    const { code, stderr } = kirotrail(['catalog', '--format', 'uac']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"velociraptor", "kape", "forensicartifacts"')]);
  });

  it.each([
    ['velociraptor', velociraptor],
    ['kape', kape],
    ['forensicartifacts', forensicArtifacts],
  ])('--format %s prints it', (format, write) => {
    expect(kirotrail(['catalog', '--format', format]).stdout.toString()).toBe(write(stores));
  });
});
