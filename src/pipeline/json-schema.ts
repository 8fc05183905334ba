import { z } from 'zod';
import { FindingSchema, SessionSchema } from '../analyze/index.js';
import { RowSchema } from '../rows/row.js';
import { ManifestSchema } from './manifest.js';

const SCHEMAS = {
  row: { schema: RowSchema, title: 'A row of a kirotrail timeline (a line of JSONL)' },
  session: { schema: SessionSchema, title: 'A session of kirotrail analyze (a line of sessions.jsonl)' },
  finding: { schema: FindingSchema, title: 'A finding of kirotrail analyze (a line of findings.jsonl)' },
  manifest: { schema: ManifestSchema, title: 'The manifest beside an output of kirotrail' },
} as const;

/** JSON Schema (draft 2020-12) of a document the program writes, made from what it is held to. */
export function jsonSchema(name: keyof typeof SCHEMAS): object {
  const { schema, title } = SCHEMAS[name];
  const { $schema, ...rest } = z.toJSONSchema(schema);
  return { $schema, title, ...rest };
}
