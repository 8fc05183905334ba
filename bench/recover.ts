/** Recall, precision and speed of recovery on generated stores, against the targets: `tsx bench/recover.ts [seeds] [scenario...]`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from './random.js';
import { emptyScore, type Files, hashOf, type Score, score } from './recover-score.js';
import { age, createStore, fill, newTalk, replace, type Shape, type Store, turn } from './recover-store.js';

const KB = 1000;
const shape = (median: number, sigma: number, more: Partial<Shape> = {}): Shape => ({
  size: [median * KB, sigma, 4 * KB, 400 * KB],
  resultMax: 14 * KB,
  clearChance: 0,
  ...more,
});

interface Scenario {
  readonly id: string;
  readonly targets: Readonly<Record<string, readonly [complete: number, prompts: number]>>;
  run(folder: string, seed: number, at: (label: string, store: Store, files?: Files, alive?: ReadonlySet<string>) => void): void;
}

const files = (store: Store, wal = false): Files => {
  const main = readFileSync(store.path);
  return wal ? { main, wal: readFileSync(`${store.path}-wal`) } : { main };
};

const alive = (store: Store): Set<string> => new Set([...store.open.values()].flatMap(({ entries }) => entries.map(hashOf)));

const pick = (store: Store, count: number): string[] => {
  const left = [...store.directories];
  return Array.from({ length: count }, () => left.splice(store.random.int(0, left.length - 1), 1)[0] ?? '');
};

function replacing(id: string, count: number, size: Shape, ages: readonly number[], targets: Scenario['targets']): Scenario {
  return {
    id,
    targets,
    run(folder, seed, at) {
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 1), 20, size);
      fill(store);
      for (const directory of pick(store, count)) replace(store, directory);
      let done = 0;
      for (const saves of ages) {
        age(store, saves - done);
        done = saves;
        at(`age ${saves}`, store);
      }
    },
  };
}

const headless: Scenario = {
  ...replacing('R9', 5, shape(120, 0.8), [0, 5, 20], { 'age 0': [97.5, 98], 'age 5': [97.5, 71], 'age 20': [96, 27] }),
  run(folder, seed, at) {
    replacing('R9', 5, shape(120, 0.8), [0, 5, 20], {}).run(folder, seed, (label, store) => {
      const main = readFileSync(store.path);
      main.fill(0, 0, 100);
      at(label, store, { main });
    });
  },
};

const SCENARIOS: readonly Scenario[] = [
  replacing('R1', 5, shape(120, 0.8), [0, 5, 20], { 'age 0': [98.5, 99], 'age 5': [98.5, 72], 'age 20': [97, 28] }),
  replacing('R2', 20, shape(120, 0.8), [0, 20, 50, 150], {
    'age 0': [98.5, 99],
    'age 20': [98, 96],
    'age 50': [97, 88],
    'age 150': [95, 42],
  }),
  replacing('R3', 5, shape(30, 0.9), [0, 5], { 'age 0': [96, 95], 'age 5': [94.5, 62] }),
  {
    id: 'R4',
    targets: { 'saves 1': [98, 99], 'saves 3': [98, 98], 'saves 6': [97.5, 86], 'saves 12': [95, 44] },
    run(folder, seed, at) {
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 4), 12, shape(60, 0.8));
      fill(store, 200 * KB);
      const victim = store.directories[0] ?? '';
      replace(store, victim);
      let done = 1;
      for (const saves of [1, 3, 6, 12]) {
        age(store, saves - done, victim);
        done = saves;
        at(`saves ${saves}`, store);
      }
    },
  },
  {
    id: 'R5',
    targets: { 'age 0': [98.5, 99], 'age 5': [97, 76], 'age 15': [97, 28] },
    run(folder, seed, at) {
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 5), 20, shape(60, 0.9));
      fill(store);
      for (const directory of pick(store, 8)) {
        store.database.prepare('DELETE FROM conversations WHERE key = ?').run(directory);
        store.open.delete(directory);
      }
      const left = [...store.open.keys()];
      const rest = { ...store, directories: left };
      let done = 0;
      for (const saves of [0, 5, 15]) {
        age(rest, saves - done);
        done = saves;
        at(`age ${saves}`, store);
      }
    },
  },
  logScenario('R6', 0, { 'saves 50': [100, 100], 'saves 100': [100, 100], 'saves 150': [100, 100] }),
  logScenario('R7', 1000, { 'saves 100': [98.5, 95], 'saves 150': [98.5, 66] }),
  {
    id: 'R8',
    targets: { hot: [100, 100] },
    run(folder, seed, at) {
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 8), 6, shape(30, 0.9), ['synchronous = FULL']);
      fill(store);
      const before = alive(store);
      store.database.pragma('cache_size = 5');
      store.database.exec('BEGIN IMMEDIATE');
      for (const directory of pick(store, 2)) replace(store, directory);
      const main = readFileSync(store.path);
      at('hot', store, { main, journal: readFileSync(`${store.path}-journal`) }, before);
      store.database.exec('ROLLBACK');
    },
  },
  headless,
  {
    id: 'R10',
    targets: { vacuum: [0, 0], secure_delete: [0, 0] },
    run(folder, seed, at) {
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 10), 8, shape(30, 0.9));
      fill(store);
      for (const directory of pick(store, 3)) replace(store, directory);
      store.database.exec('VACUUM');
      at('vacuum', store);
      const wiped = createStore(join(folder, 'wiped.sqlite3'), createRandom(seed, 11), 8, shape(30, 0.9), ['secure_delete = ON']);
      fill(wiped);
      for (const directory of pick(wiped, 3)) replace(wiped, directory);
      at('secure_delete', wiped);
      wiped.database.close();
    },
  },
  {
    id: 'RX',
    targets: { churn: [93, 11] },
    run(folder, seed, at) {
      const store = createStore(
        join(folder, 'data.sqlite3'),
        createRandom(seed, 12),
        8,
        shape(60, 0.9, { resultMax: 60 * KB, clearChance: 0.04 }),
      );
      for (let saves = 1; saves <= 400; saves++) {
        const directory = store.random.pick(store.directories);
        let talk = store.open.get(directory);
        if (talk === undefined || (talk.size > talk.target && talk.pending.length === 0)) talk = newTalk(store, directory);
        if (store.random.chance(store.shape.clearChance)) Object.assign(talk, { entries: [], pending: [], size: 9000 });
        turn(store, talk);
        if (saves % 40 === 0) at('churn', store);
      }
    },
  },
];

function logScenario(id: string, checkpoint: number, targets: Scenario['targets']): Scenario {
  return {
    id,
    targets,
    run(folder, seed, at) {
      const size: Shape = { ...shape(20, 0.8), size: [20 * KB, 0.8, 4 * KB, 100 * KB] };
      const store = createStore(join(folder, 'data.sqlite3'), createRandom(seed, 6), 8, size, [
        'journal_mode = WAL',
        `wal_autocheckpoint = ${checkpoint}`,
      ]);
      for (let saves = 1; saves <= 150; saves++) {
        const directory = store.random.pick(store.directories);
        let talk = store.open.get(directory);
        if (talk === undefined || (talk.size > talk.target && talk.pending.length === 0)) talk = newTalk(store, directory);
        turn(store, talk);
        if (`saves ${saves}` in targets) at(`saves ${saves}`, store, files(store, true));
      }
    },
  };
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : ((100 * part) / whole).toFixed(1));

function main(): void {
  const [count = '3', ...only] = process.argv.slice(2);
  console.log(
    'scenario            of present: complete (target) +probable | prompts (target) | of dead | wrong c/p/part | live | .recover | MB/s',
  );
  for (const scenario of SCENARIOS) {
    if (only.length > 0 && !only.includes(scenario.id)) continue;
    const scores = new Map<string, Score>();
    const said = new Set<string>();
    for (let seed = 1; seed <= Number(count); seed++) {
      const folder = mkdtempSync(join(tmpdir(), 'kirotrail-recover-'));
      let last: Store | undefined;
      scenario.run(folder, seed, (label, store, given, living) => {
        last = store;
        const into = scores.get(label) ?? emptyScore();
        scores.set(label, into);
        const summary = score(into, store, given ?? files(store), living ?? alive(store), scenario.id === 'R8');
        for (const statement of summary.statements) said.add(`${label}: ${statement.replaceAll(/\d+/g, 'N')}`);
      });
      last?.database.close();
      rmSync(folder, { recursive: true, force: true });
    }
    for (const [label, s] of scores) {
      const [complete = 0, prompts = 0] = scenario.targets[label] ?? [];
      console.log(
        `${scenario.id.padEnd(4)} ${label.padEnd(14)} ${percent(s.complete, s.present).padStart(6)} (${complete}) +${percent(s.complete + s.probable, s.present)}` +
          ` | ${percent(s.prompts, s.deadPrompts)} (${prompts}) | ${percent(s.complete, s.dead)} of ${s.dead}` +
          ` | ${s.wrongComplete}/${s.wrongProbable}/${s.wrongPartial} | ${s.livePretended} | ${Number.isNaN(s.baseline) ? 'cannot run' : percent(s.baseline, s.dead)} | ${(s.bytes / 1e6 / s.seconds).toFixed(0)}`,
      );
    }
    if (scenario.id === 'R10') for (const statement of said) console.log(`     ${statement}`);
  }
}

main();
