import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analysisPage, columnsPage, manualPage, queriesPage, rulesPage, storesPage } from '../../scripts/build-docs.js';
import { loadCatalog } from '../../src/catalog/load.js';
import { PARSERS } from '../../src/parsers/index.js';
import { COLUMNS } from '../../src/rows/row.js';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

describe('generated pages', () => {
  it('are what the row schema and the catalog say (npm run docs)', () => {
    expect(page('columns.md')).toBe(columnsPage());
    expect(page('stores.md')).toBe(storesPage());
    expect(page('rules.md')).toBe(rulesPage());
    expect(page('analysis.md')).toBe(analysisPage());
    expect(page('queries.md')).toBe(queriesPage());
    expect(page('../man/kirotrail.1')).toBe(manualPage());
  });
});

describe('the contract', () => {
  it('keeps its columns: a new one goes to the end and raises the schema', () => {
    expect(COLUMNS.join(' ')).toBe(
      'timestamp_utc host user agent session_id project_path git_branch turn_type model tool_name tool_use_id text source_file source_line ' +
        'row_type origin timestamp_source timestamp_original status outcome exit_code duration_ms command file_paths decision decided_by ' +
        'recovered confidence duplicate_of message_id request_id parent_session_id source_table source_pointer source_offset source_sha256 ' +
        'secret_count secret_rules secrets row_id problem details schema tool_version',
    );
  });

  it('has a parser for each catalog entry that is read, and an entry for each parser', () => {
    const read = loadCatalog()
      .filter((store) => store.read)
      .map((store) => store.id);
    expect(PARSERS.map((parser) => parser.id).sort()).toEqual(read.sort());
  });
});
