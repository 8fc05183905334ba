import { z } from 'zod';
import { ManifestSchema } from './manifest.js';

/** What one merge read and wrote. */
export const MergeManifestSchema = z.strictObject({
  schema: z.literal('kirotrail-merge/1').describe('form of this file'),
  tool: z.literal('kirotrail'),
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  argv: z.array(z.string()).describe('arguments of the call'),
  started_utc: z.string(),
  finished_utc: z.string(),
  inputs: z.array(
    z.strictObject({
      label: z.string().describe('ahead of each `source_file`'),
      path: z.string().describe('absolute path of the timeline'),
      size: z.int(),
      sha256: z.string().describe('of the timeline as it was before it was read'),
      rows: z.int(),
      broken_lines: z.int().describe('lines that are no rows and were left out'),
    }),
  ),
  outputs: ManifestSchema.shape.outputs,
  repeats: z.int().describe('rows that were primary in their timeline and repeat a row of an earlier one'),
});

export type MergeManifest = z.infer<typeof MergeManifestSchema>;
