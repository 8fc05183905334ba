import { z } from 'zod';

/** What a merge needs to know. */
export const OrderSchema = z
  .strictObject({
    placed: z.int().describe('rows that have a place in time; those behind them have none'),
    ahead: z
      .array(z.tuple([z.int(), z.int()]))
      .describe('rows that stand ahead of the row they belong to: number of the first of some that follow each other, and how many'),
    held: z.array(z.tuple([z.int(), z.int()])).describe('rows whose own time does not count: they stand where the row before them stands'),
  })
  .describe('how the rows stand to their times: what a merge needs to know');

/** What one run read, left out and wrote. Names files, never values of secrets. Rows do not depend on it. */
export const ManifestSchema = z.strictObject({
  schema: z.literal('kirotrail-manifest/1').describe('form of this file'),
  tool: z.literal('kirotrail'),
  version: z.string(),
  node: z.string(),
  sqlite: z.string().describe('SQLite version that read the databases'),
  platform: z.string(),
  argv: z.array(z.string()).describe('arguments of the call'),
  started_utc: z.string(),
  finished_utc: z.string(),
  source_roots: z.array(z.string()).describe('absolute paths of the evidence roots'),
  walked: z.strictObject({ files: z.int(), folders: z.int() }),
  archives: z
    .array(
      z.strictObject({
        path: z.string(),
        format: z.string(),
        size: z.int(),
        sha256: z.string().describe('of the archive itself'),
        members: z.int(),
        unpacked: z.strictObject({ files: z.int(), bytes: z.int() }).describe('into the private scratch folder, which is gone'),
        left_out: z.record(z.string(), z.int()).describe('members that were not looked into, by reason'),
        renamed: z
          .array(z.strictObject({ path: z.string(), stored: z.string(), why: z.string() }))
          .describe('members whose name is not one to write a file under, the first thousand'),
      }),
    )
    .default([])
    .describe('archives that were opened; what is wrong with them stands under `not_read.errors`'),
  inputs: z.array(
    z.strictObject({
      path: z.string().describe('as in `source_file`'),
      store: z.string(),
      agent: z.string(),
      user: z.string(),
      size: z.int(),
      mtime_utc: z.string(),
      sha256: z.string().describe('of the bytes as read'),
      sidecars: z.array(z.strictObject({ name: z.string(), size: z.int(), sha256: z.string() })),
      status: z.enum(['parsed', 'no_rows', 'partly_read', 'unread', 'listed']).describe('`listed`: found and hashed, not read into rows'),
      rows: z.int().describe('rows of this input, before duplicates are left out'),
      tables: z.record(z.string(), z.int().nullable()).describe('tables of a database and their number of rows'),
      problems: z.array(z.string()),
    }),
  ),
  not_read: z.strictObject({
    links: z.array(z.strictObject({ path: z.string(), target: z.string() })).describe('recorded, never followed'),
    special_files: z.array(z.strictObject({ path: z.string(), kind: z.string() })),
    errors: z.array(z.strictObject({ path: z.string(), problem: z.string() })),
    excluded_folders: z.array(z.string()).describe('folders that were not entered'),
    unclaimed: z.array(z.string()).describe('files in the folders of a known store that no catalog entry claims'),
    unrecognised: z.array(z.string()).describe('files named in the call that no store recognises'),
    archives: z.array(z.string()).default([]).describe('archives among the files, which are opened only when they are named in the call'),
    orphans: z.array(z.string()).describe('logs and journals whose database is not there'),
  }),
  hard_links: z.array(z.array(z.string())).describe('inputs that are one file under several names; each is read'),
  secrets: z
    .strictObject({
      policy: z.string(),
      least: z.string(),
      scanned: z.boolean(),
      shown: z.boolean(),
      rules_version: z.string(),
      refused_rules: z.array(z.strictObject({ id: z.string(), reason: z.string() })),
      found: z.record(z.string(), z.int()),
      lines_masked_by_value: z.int(),
      note: z.string(),
    })
    .describe('policy, rules, and findings counted by rule, class and confidence; never a value'),
  recovery: z
    .strictObject({ scanned: z.boolean(), databases: z.array(z.string()), note: z.string() })
    .describe('databases whose free pages, page gaps, logs and journals were looked through'),
  outputs: z.array(
    z.strictObject({
      path: z.string(),
      format: z.string(),
      holds: z.string().optional().describe('whose rows it holds, of a timeline that is divided'),
      rows: z.int(),
      size: z.int(),
      sha256: z.string(),
      order: OrderSchema.optional(),
    }),
  ),
  users: z
    .array(z.strictObject({ user: z.string(), inputs: z.int(), rows: z.int(), size: z.int() }))
    .default([])
    .describe('what was found of each user; rows before duplicates are left out'),
  counts: z.strictObject({
    rows: z.int(),
    by_type: z.record(z.string(), z.int()),
    undated: z.int(),
    recovered: z.int(),
    duplicates: z.int(),
    first_utc: z.string(),
    last_utc: z.string(),
    left_out: z.record(z.string(), z.int()).describe('rows left out by a filter of the call, by filter'),
  }),
  csv: z
    .strictObject({ cells_guarded: z.int(), cells_escaped: z.int(), cells_cut: z.int() })
    .nullable()
    .describe('cells that a CSV holds in another form; each is named in `csv_notes`'),
  timesketch: z
    .strictObject({ stand_in_times: z.int(), times_out_of_range: z.int() })
    .nullable()
    .default(null)
    .describe(
      'rows of a Timesketch output whose `datetime` is a stand-in, and how many of them for a time it cannot hold; each says so in `timesketch_notes`',
    ),
  ecs: z
    .strictObject({ stand_in_times: z.int() })
    .nullable()
    .default(null)
    .describe('rows of an ECS output whose `@timestamp` is a stand-in; they are tagged `undated`'),
});

export type Manifest = z.infer<typeof ManifestSchema>;
export type ManifestInput = Manifest['inputs'][number];
