import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { kirotrail, rowsOf, saveExport, testFolder } from '../support/cli.js';
import { jsonl, writeFiles } from '../support/timeline.js';

// What tells of a prompt without an id (a prompt history, a hook) is joined with the conversation that holds it in the same home, and
// not with one in which somebody else said the same: every machine has a user called root.

const WORDS = 'list the files';
const at = (second: number) => new Date(Date.UTC(2025, 10, 1, 10, 0, second)).toISOString();
const history = (...lines: string[]) => `#V2\n${lines.join('\n')}\n`;
const heard = (second: number) =>
  jsonl({ ts: at(second), payload: { session_id: '', hook_event_name: 'UserPromptSubmit', cwd: '/root/shop', prompt: WORDS } });

/** The first machine holds the conversation; the second has only a history and a capture; the third has all three. */
const MACHINES = {
  one: { 'root/chat.json': saveExport('one', [[WORDS, 'Two.']]) },
  two: { 'root/.aws/amazonq/.cli_bash_history': history(WORDS), 'root/shop/.kiro/hook-captures/events.jsonl': heard(0) },
  three: {
    'root/chat.json': saveExport('three', [[WORDS, 'Three.']]),
    'root/.aws/amazonq/.cli_bash_history': history(WORDS, 'another'),
    'root/shop/.kiro/hook-captures/events.jsonl': heard(1),
  },
};

const folder = testFolder();
const path = (...names: string[]) => join(folder, ...names);
const run = (inputs: readonly string[], output: string) => expect(kirotrail([...inputs, '-q', '-o', output]).code).toBe(0);
const prompts = (file: string) => rowsOf(readFileSync(file)).filter((row) => row.row_type === 'prompt' && row.text === WORDS);

/** Each prompt by its file, with the file of its primary. */
function joined(file: string): [file: string, of: string][] {
  const rows = prompts(file);
  const fileOf = new Map(rows.map((row) => [row.row_id, row.source_file]));
  return rows.map((row): [string, string] => [row.source_file, fileOf.get(row.duplicate_of) ?? row.duplicate_of]).sort();
}

const EXPECTED = [
  ['one/root/chat.json', ''],
  ['three/root/.aws/amazonq/.cli_bash_history', 'three/root/chat.json'],
  ['three/root/chat.json', ''],
  ['three/root/shop/.kiro/hook-captures/events.jsonl', 'three/root/chat.json'],
  ['two/root/.aws/amazonq/.cli_bash_history', ''],
  ['two/root/shop/.kiro/hook-captures/events.jsonl', ''],
];

beforeAll(() => {
  mkdirSync(path('roots'));
  for (const [name, files] of Object.entries(MACHINES)) writeFiles(path('roots', name), files);
});

describe('the same words on several machines, by users of one name', () => {
  const names = Object.keys(MACHINES).sort();

  it('are joined within a home only, named as several roots or found below one', () => {
    run(
      names.map((name) => path('roots', name)),
      path('whole.jsonl'),
    );
    expect(joined(path('whole.jsonl'))).toEqual(EXPECTED);
    run([path('roots')], path('below.jsonl'));
    expect(joined(path('below.jsonl'))).toEqual(EXPECTED);
  });

  it('are joined by a merge as by one run', () => {
    for (const name of names) run([path('roots', name)], path(`${name}.jsonl`));
    run(['merge', ...names.map((name) => path(`${name}.jsonl`))], path('merged.jsonl'));
    expect(rowsOf(readFileSync(path('merged.jsonl')))).toEqual(rowsOf(readFileSync(path('whole.jsonl'))));
  });

  it('are joined in a home whose folder names nobody', () => {
    for (const [name, files] of Object.entries(MACHINES))
      writeFiles(
        path('copies'),
        Object.fromEntries(Object.entries(files).map(([file, text]) => [file.replace('root/', `${name}/`), text])),
      );
    run([path('copies')], path('copies.jsonl'));
    expect(joined(path('copies.jsonl'))).toEqual(EXPECTED.map((pair) => pair.map((file) => file.replace('/root/', '/'))));
  });
});
