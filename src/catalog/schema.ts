import { z } from 'zod';

/** How well a store is understood, from vendor source down to inference. */
export const EVIDENCE_LEVELS = {
  L1: 'read in vendor source or a shipped binary',
  L2: 'vendor documentation',
  L3: 'vendor issue tracker',
  L4: 'community source or inference',
} as const;

const lines = z.array(z.string().min(1)).default([]);

/** One store: what it is, where it lies, what it proves, and what its rows do not carry. Unknown keys are an error. */
export const StoreSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  agent: z.enum(['amazon-q-cli', 'kiro-cli', 'kiro-ide', 'flow-agents', 'ai-dlc']),
  /** What it proves and what it cannot show. */
  doc: z.string().min(1),
  /** False: the store is found, hashed and listed in the manifest, but not read into rows. */
  read: z.boolean(),
  role: z.enum(['primary', 'secondary', 'configuration']),
  evidence: z.enum(['L1', 'L2', 'L3', 'L4']),
  /**
   * Places, `/` separators, matched without regard to case. Each is relative to its anchor and found at any depth:
   * `home` a user's home, `data` the platform's data folder, `project` any working directory, `temp` a temporary folder.
   */
  places: z
    .array(z.strictObject({ anchor: z.enum(['home', 'data', 'project', 'temp']), path: z.string().min(1), agent: z.string().optional() }))
    .default([]),
  /** Found by content, whatever its name and place. */
  by_content: z.boolean().default(false),
  /** Files that belong to it, as endings of its name. */
  sidecars: lines,
  /** Folders whose names its parser is told: relative to the folder of the file (`.`), `*` for any one folder. */
  listing: lines,
  /** The file as a whole, some fields, or nothing in it is a credential. */
  secret: z.enum(['whole-file', 'fields', 'none']),
  versions: z.string().default(''),
  /** Leaves of the record that rows do not carry, each with its reason. */
  not_carried: z.array(z.strictObject({ field: z.string().min(1), reason: z.string().min(1) })).default([]),
  references: lines,
});

export type Store = z.infer<typeof StoreSchema>;
