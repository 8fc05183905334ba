import { compact } from '../evidence/json.js';
import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { pairs, readObject, type StoreColumns, storeColumns, unknownFields } from './json-store.js';
import type { FileParser } from './parser.js';
import { hookRows } from './q-hook.js';

// Context files of Amazon Q Developer CLI before 1.13: global_context.json and one context.json per profile.
// They prove which files were put before every prompt and which commands hooks ran at the start of a conversation or
// ahead of each prompt. They cannot show when a hook ran or what it printed. Since 1.13 they are converted once into
// agent files (named after the profile, `migrated_agent_from_global_context`) and then ignored, but stay on disk.
// They hold no time, so rows carry the file time.
// Versions: 1.4 to 1.12. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/legacy/mod.rs, hooks.rs;
// one real file seen.

const KNOWN = new Set(['paths', 'hooks']);
const PROFILE = /(?:^|\/)profiles\/([^/]+)\/[^/]+$/i;

export const qLegacyContext: FileParser = { id: 'q-legacy-context', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const columns = storeColumns(source.artifact);
  const config = yield* readObject(source, 'context configuration');
  if (!config) return;
  const profile = PROFILE.exec(source.artifact.file)?.[1];
  yield* pathRows(config.paths, profile, columns);
  for (const row of hookRows(config.hooks, '/hooks', columns)) {
    yield profile === undefined ? row : { ...row, details: { ...row.details, profile } };
  }
  for (const [key, value] of unknownFields(config, KNOWN)) {
    yield {
      row_type: 'config',
      text: `context configuration field: ${key}=${JSON.stringify(value)}`,
      problem: 'a field the program does not know',
      details: { value },
      source_pointer: step('', key),
      ...columns,
    };
  }
}

function* pathRows(paths: unknown, profile: string | undefined, columns: StoreColumns): Generator<Draft> {
  if (paths === undefined || paths === null) return;
  const list: unknown[] = Array.isArray(paths) ? paths : [paths];
  for (const [index, path] of list.entries()) {
    const sound = typeof path === 'string' && Array.isArray(paths);
    yield {
      row_type: 'config',
      text: `context path:${pairs({ profile })}${profile === undefined ? '' : ':'} ${compact(path)}`,
      file_paths: typeof path === 'string' ? [path] : [],
      problem: sound ? '' : 'not a list of texts',
      details: { ...(profile === undefined ? {} : { profile }), ...(typeof path === 'string' ? {} : { value: path }) },
      source_pointer: Array.isArray(paths) ? step('/paths', index) : '/paths',
      ...columns,
    };
  }
}
