import { z } from 'zod';
import { compact, isObject } from '../evidence/json.js';
import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { fromRfc3339 } from '../rows/time.js';
import { pairs, problems, readObject, type StoreColumns, storeColumns, typed } from './json-store.js';
import type { FileParser } from './parser.js';

// contexts.json of a knowledge base of Amazon Q Developer CLI: which folders or texts an agent indexed, and when.
// It proves that files below `source_path` were read and copied into the index at `created_at`, even if they are gone
// since. It cannot show what was asked of the index: conversations do. The copies themselves (data.json, data.bm25.json
// in a folder per context) are not read.
// Versions: since 1.10 as a beta feature. Evidence: L1,
// aws/amazon-q-developer-cli: crates/semantic-search-client/src/types.rs.

const ContextSchema = z.looseObject({
  id: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  created_at: z.string().nullish(),
  persistent: z.boolean().nullish(),
  source_path: z.string().nullish(),
  item_count: z.number().nullish(),
  embedding_type: z.string().nullish(),
});

export const qKnowledge: FileParser = { id: 'q-knowledge', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const columns = storeColumns(source.artifact);
  const contexts = yield* readObject(source, 'knowledge base index');
  if (!contexts) return;
  for (const [id, context] of Object.entries(contexts)) yield { ...contextRow(id, context, columns), source_pointer: step('', id) };
}

function contextRow(id: string, context: unknown, columns: StoreColumns): Draft {
  if (!isObject(context)) {
    const problem = 'the knowledge context is not a JSON object';
    return {
      row_type: 'config',
      text: `knowledge context: id=${id}: ${compact(context)}`,
      problem,
      details: { value: context },
      ...columns,
    };
  }
  const { fields, problem } = typed(ContextSchema, context);
  const time = fromRfc3339(fields.created_at ?? '', 'record');
  const head = pairs({
    id,
    name: fields.name,
    items: fields.item_count,
    persistent: fields.persistent,
    embedding_type: fields.embedding_type,
    source_path: fields.source_path,
  });
  return {
    row_type: 'config',
    text: `knowledge context:${head}: ${fields.description ?? ''}`,
    time,
    newRun: true,
    file_paths: fields.source_path ? [fields.source_path] : [],
    problem: problems(
      problem,
      !time && 'created_at is missing or not a time',
      typeof fields.id === 'string' && fields.id !== id && 'the id inside the record differs from its key',
    ),
    details: context,
  };
}
