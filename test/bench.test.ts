import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { ensureDataset, evidenceFile, parseSets, writeDatabase, writeExport, writeHome } from '../bench/generate.js';
import { writeIde } from '../bench/ide.js';
import { writeKiro } from '../bench/kiro.js';
import { createRandom } from '../bench/random.js';
import { lines, type Measurement, table } from '../bench/report.js';
import { ensureReportData, parseReportSets } from '../bench/report-data.js';
import { RowSchema } from '../src/rows/row.js';

const folder = mkdtempSync(join(tmpdir(), 'kirotrail-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Use {
  id: string;
  name: string;
}
interface Entry {
  user: { content: Record<string, { tool_use_results?: { tool_use_id: string }[] }>; timestamp: string | null };
  assistant: { Response?: { content: string }; ToolUse?: { content: string; tool_uses: Use[] } };
}
interface State {
  history: Entry[];
  transcript: string[];
  tools: Record<string, unknown[]>;
  valid_history_range: [number, number];
}

const said = ({ assistant: { Response, ToolUse } }: Entry): string =>
  ToolUse === undefined
    ? `${Response?.content}\n[Tool uses: none]`
    : `${ToolUse.content}\n[Tool uses: ${ToolUse.tool_uses.map((use) => use.name).join(',')}]`;

/** Every history entry is the text of one assistant element, counted from the end. */
function expectAligned({ history, transcript }: State): void {
  const spoken = transcript.filter((element) => /\n\[Tool uses: [^\n]*\]$/.test(element));
  expect(spoken.length).toBeGreaterThanOrEqual(history.length);
  expect(spoken.slice(-history.length)).toEqual(history.map(said));
}

/** Results answer the calls of the entry before, one for one. */
function expectAnswered({ history }: State): void {
  history.forEach((entry, index) => {
    const calls = history[index - 1]?.assistant.ToolUse?.tool_uses.map((use) => use.id) ?? [];
    const content = entry.user.content.ToolUseResults ?? entry.user.content.CancelledToolUses;
    expect(content?.tool_use_results?.map((result) => result.tool_use_id) ?? []).toEqual(calls);
  });
  expect(history.at(-1)?.assistant.Response).toBeDefined();
}

const small = { seed: 7, conversations: 5, minBytes: 30_000, maxBytes: 120_000 };

describe('generated database', () => {
  const path = join(folder, 'data.sqlite3');
  const contents = writeDatabase(path, small);
  const db = new Database(path, { readonly: true });
  afterAll(() => db.close());
  const values = db.prepare<[], string>('SELECT value FROM conversations').pluck().all();

  it('has the vendor tables and text values', () => {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
    expect(tables).toEqual(['auth_kv', 'conversations', 'history', 'migrations', 'state']);
    expect(db.pragma('page_size', { simple: true })).toBe(4096);
    expect(db.prepare('SELECT DISTINCT typeof(value) FROM conversations').pluck().all()).toEqual(['text']);
    expect(db.prepare('SELECT count(*) FROM migrations').pluck().get()).toBe(8);
  });

  it('holds conversations of about the wanted sizes', () => {
    expect(values).toHaveLength(small.conversations);
    for (const value of values) {
      expect(Buffer.byteLength(value)).toBeGreaterThan(small.minBytes * 0.9);
      expect(Buffer.byteLength(value)).toBeLessThan(small.maxBytes + 60_000);
    }
  });

  it('holds conversations whose transcript aligns with the history and whose results answer the calls', () => {
    let entries = 0;
    for (const value of values) {
      const state = JSON.parse(value) as State;
      expectAligned(state);
      expectAnswered(state);
      expect(state.valid_history_range).toEqual([0, state.history.length]);
      expect(Object.keys(state.tools)).toContain('native___');
      entries += state.history.length;
    }
    expect(entries).toBe(contents.entries);
    expect(values.some((value) => value.includes('"> y"'))).toBe(true);
    expect(values.some((value) => /\p{Script=Hangul}/u.test(value))).toBe(true);
  });

  it('is compact JSON as the vendor writes it', () => {
    for (const value of values) expect(JSON.stringify(JSON.parse(value))).toBe(value);
  });

  it('follows from the seed', () => {
    const again = join(folder, 'again.sqlite3');
    const other = join(folder, 'other.sqlite3');
    writeDatabase(again, small);
    writeDatabase(other, { ...small, seed: 8 });
    expect(sha256(again)).toBe(sha256(path));
    expect(sha256(other)).not.toBe(sha256(path));
  });
});

describe('generated export', () => {
  it('is the two-space form, aligned, and follows from the seed', () => {
    const path = join(folder, 'export.json');
    const again = join(folder, 'export-again.json');
    const contents = writeExport(path, { seed: 3, bytes: 400_000 });
    writeExport(again, { seed: 3, bytes: 400_000 });
    const text = readFileSync(path, 'utf8');
    const state = JSON.parse(text) as State;
    expect(JSON.stringify(state, null, 2)).toBe(text);
    expect(state.history).toHaveLength(contents.entries);
    expectAligned(state);
    expectAnswered(state);
    expect(text.length).toBeGreaterThan(360_000);
    expect(sha256(again)).toBe(sha256(path));
  });
});

describe('generated home', () => {
  const listing = (root: string): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .map((path) => `${path.slice(root.length)} ${sha256(path)}`)
      .sort();

  it('has the wanted number of files, one export without extension and one prompt history', () => {
    const first = join(folder, 'home-1');
    const second = join(folder, 'home-2');
    const contents = writeHome(first, { seed: 5, files: 200 });
    writeHome(second, { seed: 5, files: 200 });
    expect(listing(first)).toHaveLength(200);
    expect(listing(second)).toEqual(listing(first));
    expect(contents.files).toBe(200);
    expect(readFileSync(join(first, '.aws/amazonq/.cli_bash_history'), 'utf8')).toMatch(/^#V2\n/);
    expect(JSON.parse(readFileSync(join(first, 'projects/shop-0/docs/where-we-left-off'), 'utf8'))).toHaveProperty('history');
  });
});

describe('generated sessions of Kiro CLI', () => {
  const files = (root: string): string[] =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name))
      .sort();

  it('are of both engines, as large as wanted, with long lines, and follow from the seed', () => {
    const first = join(folder, 'kiro-1');
    const second = join(folder, 'kiro-2');
    const contents = writeKiro(first, { seed: 5, bytes: 12_000_000, sessions: 40 });
    writeKiro(second, { seed: 5, bytes: 12_000_000, sessions: 40 });
    const paths = files(first);
    expect(paths.map((path) => [path.slice(first.length), sha256(path)])).toEqual(
      files(second).map((path) => [path.slice(second.length), sha256(path)]),
    );
    expect(paths).toHaveLength(contents.files);
    expect(contents.bytes).toBeGreaterThan(9_000_000);
    expect(contents.bytes).toBeLessThan(16_000_000);
    const journals = paths.filter((path) => path.endsWith('.jsonl'));
    expect(journals).toHaveLength(40);
    expect(journals.filter((path) => path.includes('/cli/')).length).toBeCloseTo(16, -1);
    const lengths = journals.flatMap((path) =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.stringify(JSON.parse(line)).length),
    );
    expect(lengths).toHaveLength(contents.entries);
    expect(Math.max(...lengths)).toBeGreaterThan(4_900_000);
    expect(Math.max(...lengths)).toBeLessThan(5_100_000);
  });
});

describe('generated store of the Kiro IDE', () => {
  it('has the wanted workspaces and size, logs named after their executions, and follows from the seed', () => {
    const [first, second] = [join(folder, 'ide-1'), join(folder, 'ide-2')];
    const options = { seed: 5, bytes: 6_000_000, workspaces: 3 };
    const contents = writeIde(first, options);
    expect(writeIde(second, options)).toEqual(contents);
    const paths = readdirSync(first, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name));
    expect(paths).toHaveLength(contents.files);
    for (const path of paths) expect(sha256(path)).toBe(sha256(path.replace(first, second)));
    expect(contents.bytes).toBeGreaterThan(5_000_000);
    expect(contents.bytes).toBeLessThan(9_000_000);
    expect(paths.filter((path) => path.endsWith('sessions.json'))).toHaveLength(3);
    const logs = paths.filter((path) => path.includes('414d1636299d2b9e4ce7e17fb11f63e9'));
    expect(logs).toHaveLength(contents.entries);
    for (const path of logs) {
      const { executionId } = JSON.parse(readFileSync(path, 'utf8')) as { executionId: string };
      expect(path.endsWith(createHash('sha256').update(executionId).digest('hex').slice(0, 32))).toBe(true);
    }
  });
});

describe('generated timelines for the report', () => {
  it('are rows of a timeline in their order, with few and with many texts, and follow from the seed', () => {
    const [small, large] = [ensureReportData(join(folder, 'report-1'), 'S', 4000), ensureReportData(join(folder, 'report-1'), 'L', 4000)];
    for (const { path, set } of [{ ...small, set: 'S' } as const, { ...large, set: 'L' } as const])
      expect(sha256(ensureReportData(join(folder, 'report-2'), set, 4000).path)).toBe(sha256(path));
    const rows = readFileSync(small.path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => RowSchema.parse(JSON.parse(line)));
    expect(rows.length).toBe(4000);
    const times = rows.map((row) => row.timestamp_utc).filter((time) => time !== '');
    expect(times).toEqual(times.toSorted());
    expect(new Set(rows.map((row) => row.row_id)).size).toBe(4000);
    expect(new Set(rows.map((row) => row.session_id)).size).toBe(small.sessions);
    expect(small.textBytes).toBe(rows.reduce((sum, row) => sum + Buffer.byteLength(row.text), 0));
    expect(small.textBytes / 4000).toBeGreaterThan(200);
    expect(small.textBytes / 4000).toBeLessThan(400);
    expect(large.textBytes / 4000).toBeGreaterThan(900);
    expect(large.textBytes / 4000).toBeLessThan(1500);
  });

  it('are asked for by name', () => {
    expect(parseReportSets('S, L:500')).toEqual([
      { set: 'S', rows: 200_000 },
      { set: 'L', rows: 500 },
    ]);
    expect(() => parseReportSets('M')).toThrow(/unknown set/);
  });
});

describe('cache', () => {
  it('reuses a data set of the same seed and size', () => {
    const spec = { kind: 'export', size: 0.1 } as const;
    const made = ensureDataset(folder, spec, 2);
    const path = evidenceFile(made) ?? '';
    const before = statSync(path).mtimeMs;
    expect(ensureDataset(folder, spec, 2)).toEqual(made);
    expect(statSync(path).mtimeMs).toBe(before);
    expect(made.bytes).toBe(statSync(path).size);
  });

  it('reads set names', () => {
    expect(parseSets('database, export:600')).toEqual([
      { kind: 'database', size: 215 },
      { kind: 'export', size: 600 },
    ]);
    expect(() => parseSets('tape')).toThrow(/unknown data set/);
    expect(() => parseSets('export:x')).toThrow(/bad size/);
  });
});

describe('random numbers', () => {
  it('stay in their bounds and differ between streams', () => {
    const random = createRandom(1, 1);
    for (let i = 0; i < 2000; i += 1) {
      const value = random.logInt(5, 900);
      expect(value).toBeGreaterThanOrEqual(5);
      expect(value).toBeLessThanOrEqual(900);
    }
    expect(createRandom(1, 1).hex(32)).not.toBe(createRandom(1, 2).hex(32));
    expect(random.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('report', () => {
  const sample = (seconds: number, rssMiB = 100) => ({ seconds, cpuSeconds: seconds, rssMiB, outputBytes: 5e6, writeSeconds: 0.01 });
  const measurement: Measurement = {
    spec: { kind: 'database', size: 215 },
    inputBytes: 215e6,
    files: 1,
    floor: [sample(2.2), sample(2), sample(3)],
    runs: { csv: [sample(4), sample(4.4), sample(9)], jsonl: [sample(6, 200), sample(7, 310), sample(8, 200)] },
  };

  it('takes the minimum of the times, the maximum of the memory, and compares with the targets', () => {
    const [floor, csv, jsonl] = lines(measurement);
    expect(floor).toMatchObject({ run: 'floor', seconds: 2, medianSeconds: 2.2, ratio: 1 });
    expect(csv).toMatchObject({ run: 'csv', seconds: 4, medianRatio: 2, ratio: 2, missed: [] });
    expect(jsonl?.missed).toEqual(['database:215 jsonl: 3.00 x floor, target 2.5', 'database:215 jsonl: 310 MiB, target 300']);
  });

  it('prints a Markdown table', () => {
    const text = table(lines(measurement)).split('\n');
    expect(text).toHaveLength(5);
    expect(new Set(text.map((row) => row.split('|').length)).size).toBe(1);
  });
});
