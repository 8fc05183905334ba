import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Snapshot } from '../../evidence/sqlite.js';
import type { Draft } from '../../rows/draft.js';
import { escapeUnsafe } from '../../rows/problem.js';
import { fromRfc3339 } from '../../rows/time.js';
import { jsonLines } from '../json-lines.js';
import { pairs, problems } from '../json-store.js';
import type { DatabaseParser, DatabaseUnit, FileParser } from '../parser.js';
import { tableFault } from '../q-state.js';
import { cell, cellText } from './cells.js';
import { details, textOf } from './fields.js';

// dev_data/tokens_generated.jsonl and dev_data/devdata.sqlite: how many tokens each request took, kept by code the IDE inherited.
// They prove that a model was used; the database also when (it writes UTC, as SQLite's CURRENT_TIMESTAMP gives it). They name no
// session, and the model is often just "agent". Versions: not known. Evidence: L4, getagentseal/codeburn and two more readers.

export const kiroIdeUsage: FileParser = { id: 'kiro-ide-usage', container: 'file', parse: lines };

function* lines(source: FileSource): Generator<Draft> {
  for (const content of jsonLines(source, { begin: '{"model":' })) {
    if ('error' in content) {
      yield content.error;
      continue;
    }
    const { value, place, problem, damaged } = content.record;
    const known = {
      model: textOf(value, 'model'),
      provider: textOf(value, 'provider'),
      prompt_tokens: value.promptTokens,
      generated_tokens: value.generatedTokens,
    };
    yield {
      row_type: 'usage',
      text: `usage:${pairs(known)}`,
      model: known.model,
      ...place,
      ...damaged,
      problem: problems(
        problem,
        isObject(value) && value.promptTokens === undefined && value.generatedTokens === undefined && 'no token counts',
      ),
      details: details(value),
    };
  }
}

const TABLE = 'tokens_generated';
const COLUMNS = ['id', 'model', 'provider', 'tokens_prompt', 'tokens_generated', 'timestamp'];

export const kiroIdeDevdata: DatabaseParser = {
  id: 'kiro-ide-devdata',
  container: 'sqlite',
  units(database): DatabaseUnit[] {
    const tables = database.table(TABLE) === undefined ? [''] : ['', TABLE];
    return tables.map((table) => ({ table, rowid: null, size: 0 }));
  },
  *parse(database, unit) {
    yield* unit.table === '' ? summary(database) : tokenRows(database);
  },
};

function* summary(database: Snapshot): Generator<Draft> {
  const names = database.tables().map((table) => `${escapeUnsafe(table.name)}=${table.rows ?? '?'}`);
  const unread = database.tables().filter(({ name, rows }) => name.toLowerCase() !== TABLE && !name.startsWith('sqlite_') && rows !== 0);
  if (names.length === 0) return;
  const problem = unread.length === 0 ? '' : `tables not read by this version: ${unread.map(({ name }) => escapeUnsafe(name)).join(', ')}`;
  yield { row_type: 'config', text: `database: rows: ${names.join(' ')}`, problem };
}

function* tokenRows(database: Snapshot): Generator<Draft> {
  const further = (database.table(TABLE)?.columns ?? []).filter((name) => !COLUMNS.includes(name.toLowerCase()));
  for (const item of database.iterate(TABLE, [...COLUMNS, ...further])) {
    if (item.fault !== undefined) {
      yield tableFault(TABLE, item.fault, item.rowid);
      continue;
    }
    const [id, model, provider, prompt, generated, stamp] = item.values.map(cell);
    const stored = cellText(stamp);
    // No zone is written; SQLite's clock is UTC.
    const utc = fromRfc3339(`${stored.replace(' ', 'T')}Z`, 'row_created');
    const time = utc && { ...utc, original: stored };
    yield {
      row_type: 'usage',
      text: `usage:${pairs({ model, provider, prompt_tokens: prompt, generated_tokens: generated })}`,
      model: cellText(model),
      time,
      source_line: item.rowid,
      problem: time === undefined ? 'no usable time is recorded' : '',
      details: details({
        id,
        ...(time === undefined ? { timestamp: stamp } : {}),
        ...Object.fromEntries(further.map((name, i) => [name, cell(item.values[COLUMNS.length + i])])),
      }),
    };
  }
}
