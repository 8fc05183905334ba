import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { copyHome, kirotrail, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';

const folder = testFolder();
const DATABASE = '.local/share/amazon-q/data.sqlite3';
const HISTORY = '.aws/amazonq/.cli_bash_history';

function timeline(root: string, ...more: string[]): Row[] {
  const { code, stdout, stderr } = kirotrail([root, '-q', '-f', 'jsonl', ...more]);
  expect([code, stderr]).toEqual([expect.toSatisfy((n: number) => n < 2), '']);
  return rowsOf(stdout);
}

/** What must hold for any timeline. */
function checkIds(rows: readonly Row[]): void {
  const byId = new Map(rows.map((row) => [row.row_id, row]));
  expect(byId.size).toBe(rows.length);
  for (const row of rows) {
    if (row.duplicate_of === '') continue;
    const primary = byId.get(row.duplicate_of);
    expect(primary).toBeDefined();
    expect(primary?.duplicate_of).toBe('');
    expect(primary).not.toBe(row);
    expect(primary?.row_type).toBe(row.row_type);
    // A hook, a log of commands and the older store of the IDE tell of the same event in their own words.
    if (!/hook-captures|command-log|kiro\.kiroagent/.test(row.source_file)) expect(primary?.text).toBe(row.text);
  }
}

const primaries = (rows: readonly Row[]) => rows.filter((row) => row.duplicate_of === '');

/** What a row says, whatever file it stands in. */
const said = (rows: readonly Row[]) =>
  rows.map((row) => `${row.row_type} ${row.session_id} ${row.source_line} ${row.source_pointer} ${row.text}`).sort();

/** A home with one conversation in its database. */
function homeWith(name: string, turns: readonly (readonly [string, string])[]): string {
  const root = join(folder, name, 'home/mira');
  const path = join(root, DATABASE);
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path);
  database.exec('CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)');
  database.prepare('INSERT INTO conversations VALUES (?, ?)').run('/home/mira/work', saveExport('one', turns));
  database.close();
  return root;
}

const TURNS = [
  ['first', 'answer'],
  ['continue', 'ok'],
  ['continue', 'ok'],
  ['last', 'done'],
] as const;

describe('one conversation in several places', () => {
  let alone: Row[];
  beforeAll(() => {
    alone = timeline(homeWith('alone', TURNS));
    checkIds(alone);
    expect(primaries(alone)).toHaveLength(alone.length);
    expect(alone.filter((row) => row.row_type === 'prompt').map((row) => row.text)).toEqual(TURNS.map(([prompt]) => prompt));
  });

  it('database and export: every event is primary once, in the database', () => {
    const root = homeWith('export', TURNS);
    writeFileDeep(join(root, 'exports/chat.json'), saveExport('one', TURNS));
    const rows = timeline(root);
    checkIds(rows);
    const talk = (row: Row) => row.row_type === 'prompt' || row.row_type === 'assistant';
    expect(
      primaries(rows)
        .filter(talk)
        .map((row) => row.text),
    ).toEqual(alone.filter(talk).map((row) => row.text));
    expect(
      primaries(rows)
        .filter(talk)
        .every((row) => row.source_file === DATABASE),
    ).toBe(true);
    const copies = rows.filter((row) => row.source_file === 'exports/chat.json' && talk(row));
    expect(copies).toHaveLength(TURNS.length * 2);
    const byId = new Map(rows.map((row) => [row.row_id, row]));
    // The second `continue` is a copy of the second, not of the first.
    for (const copy of copies) expect(byId.get(copy.duplicate_of)?.source_pointer).toBe(copy.source_pointer);
  });

  it('a byte-identical copy of the database: all its rows are copies, and ids stay unique', () => {
    const root = homeWith('copy', TURNS);
    const backup = join(root, 'backup', DATABASE);
    mkdirSync(dirname(backup), { recursive: true });
    copyFileSync(join(root, DATABASE), backup);
    const rows = timeline(root);
    checkIds(rows);
    expect(rows).toHaveLength(alone.length * 2);
    expect(said(primaries(rows))).toEqual(said(alone));
    expect(primaries(rows).every((row) => row.source_file === DATABASE)).toBe(true);
  });

  it('all three, and an export that goes on: the new entries are primary there', () => {
    const root = homeWith('all', TURNS);
    const backup = join(root, 'backup', DATABASE);
    mkdirSync(dirname(backup), { recursive: true });
    copyFileSync(join(root, DATABASE), backup);
    writeFileDeep(join(root, 'exports/chat.json'), saveExport('one', [...TURNS, ['later', 'indeed']]));
    const rows = timeline(root);
    checkIds(rows);
    const prompts = primaries(rows).filter((row) => row.row_type === 'prompt');
    expect(prompts.map((row) => [row.text, row.source_file])).toEqual([
      ...TURNS.map(([prompt]) => [prompt, DATABASE]),
      ['later', 'exports/chat.json'],
    ]);
    expect(timeline(root, '--no-duplicates').map((row) => row.row_id)).toEqual(primaries(rows).map((row) => row.row_id));
  });
});

describe('prompt history', () => {
  const withHistory = (name: string, lines: readonly string[], place = HISTORY) => {
    const root = homeWith(name, TURNS);
    writeFileDeep(join(root, place), `#V2\n${lines.join('\n')}\n`);
    return root;
  };

  it('pairs with the prompts of the conversation from the end; what is left over stays primary', () => {
    const rows = timeline(withHistory('history', ['continue', 'first', 'continue', 'continue', '/quit', 'last']));
    checkIds(rows);
    const history = rows.filter((row) => row.source_file === HISTORY);
    const prompts = rows.filter((row) => row.source_table === 'conversations' && row.row_type === 'prompt');
    const [first, continue1, continue2, last] = prompts.map((row) => row.row_id);
    expect(history.map((row) => [row.text, row.duplicate_of])).toEqual([
      ['continue', ''],
      ['first', first],
      ['continue', continue1],
      ['continue', continue2],
      ['/quit', ''],
      ['last', last],
    ]);
    expect(prompts.every((row) => row.duplicate_of === '')).toBe(true);
  });

  it('is not used up by a byte-identical copy of itself', () => {
    const root = withHistory('two-histories', ['first', 'continue', 'continue', 'last']);
    const other = join(root, 'backup', HISTORY);
    mkdirSync(dirname(other), { recursive: true });
    copyFileSync(join(root, HISTORY), other);
    const rows = timeline(root);
    checkIds(rows);
    expect(
      primaries(rows)
        .filter((row) => row.row_type === 'prompt')
        .map((row) => row.text),
    ).toEqual(TURNS.map(([prompt]) => prompt));
  });

  it('of another user stands for itself', () => {
    const root = homeWith('two-users', TURNS);
    writeFileDeep(join(dirname(root), 'other', HISTORY), '#V2\nfirst\n');
    const rows = timeline(dirname(dirname(root)));
    checkIds(rows);
    expect(rows.filter((row) => row.user === 'other').map((row) => [row.text, row.duplicate_of])).toEqual([['first', '']]);
  });
});

describe('the fixture home', () => {
  it('has unique ids, and duplicates that name an existing primary with the same text', () => {
    const home = copyHome(join(folder, 'fixture'));
    const rows = timeline(home);
    checkIds(rows);
    expect(rows.length - primaries(rows).length).toBeGreaterThan(50);
  });

  it('twice over in one tree says everything once, but for what names its own place', () => {
    const tree = join(folder, 'twice');
    const one = copyHome(join(tree, 'a/home/mira'));
    copyHome(join(tree, 'b/home/mira'));
    const rows = timeline(tree);
    const alone = timeline(one);
    checkIds(rows);
    expect(rows).toHaveLength(alone.length * 2);
    // A grant in a file is a grant there: two files, two grants.
    const elsewhere = ({ text, source_file }: Row) => !text.includes(`from ${source_file}`);
    expect(said(primaries(rows).filter(elsewhere))).toEqual(said(primaries(alone).filter(elsewhere)));
    expect(rows.filter((row) => !elsewhere(row)).every((row) => row.duplicate_of === '')).toBe(true);
  });
});
