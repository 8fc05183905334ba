import { z } from 'zod';
import { CHARSETS, type Charset } from './charset.js';
import { CONFIDENCES } from './types.js';

const line = z.string().min(1);
const lines = z.array(line).default([]);
const charset = z.enum(Object.keys(CHARSETS).filter((name): name is Charset => name in CHARSETS));
const length = z.int().min(1).max(20_000);

const shared = {
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i),
  title: z.string().default(''),
  class: z.enum(['secret', 'identifier', 'sensitive']).default('secret'),
  confidence: z.enum(CONFIDENCES).default('high'),
  /** Texts that the whole engine must and must not report under this rule. `{{...}}` keeps live-looking tokens out of the repository. */
  samples: z.strictObject({ match: lines, no_match: lines }).prefault({}),
};

const checks = {
  /** Least Shannon entropy of the value, bits per character. */
  entropy: z.number().min(0).max(8).default(0),
  digit: z.boolean().default(false),
  checksum: z.enum(['github', 'luhn']).optional(),
};

/** Prefix, alphabet, length: the shape of most tokens. Matched without a regex. */
const TokenSchema = z.strictObject({
  kind: z.literal('token'),
  ...shared,
  ...checks,
  prefixes: z.array(line).min(1),
  charset,
  min: length,
  max: length,
  /** Further parts that must follow, e.g. the fixed middle of a two-part token. */
  contains: line.optional(),
});

/** A sticky pattern that starts at the keyword; its group `secret`, if it has one, is the value. */
const PatternSchema = z.strictObject({
  kind: z.literal('pattern'),
  ...shared,
  ...checks,
  keywords: z.array(line).min(1),
  pattern: line,
  ignore_case: z.boolean().default(false),
  /** The value is a password and has to pass the value test of keyed rules. */
  test_value: z.boolean().default(false),
  /** What stands before the keyword and belongs to the secret: `<digits>:AA...`. The keyword may then stand inside a word. */
  lead: z.strictObject({ charset, min: length, max: z.int().min(1).max(64) }).optional(),
  /** The keyword may stand inside a word. */
  anywhere: z.boolean().default(false),
  decode: z.enum(['userinfo', 'base64', 'percent']).optional(),
});

/** A provider's word in the name, and a value of known alphabet and length beside it. */
const FamilySchema = z.strictObject({
  kind: z.literal('keyed'),
  ...shared,
  ...checks,
  words: z.array(line).min(1),
  charset,
  min: length,
  max: length,
});

/** A pattern looked for around its keywords: rules that users bring along. */
const SearchSchema = z.strictObject({
  kind: z.literal('search'),
  ...shared,
  ...checks,
  keywords: z.array(line).min(1),
  pattern: line,
  group: z.int().min(0).default(0),
  stopwords: lines,
  allow: z.array(z.strictObject({ target: z.enum(['secret', 'match', 'line']), pattern: line })).default([]),
});

/** Matched by code of the engine; the entry says how its findings are to be rated. */
const BuiltinSchema = z.strictObject({ kind: z.literal('builtin'), ...shared });

/** A field that is a credential by schema; parsers name it. `mixed`: a map that holds credentials and other values. */
const LocationSchema = z.strictObject({ kind: z.literal('location'), ...shared, mixed: z.boolean().default(false) });

export const RuleSchema = z.discriminatedUnion('kind', [
  TokenSchema,
  PatternSchema,
  FamilySchema,
  SearchSchema,
  BuiltinSchema,
  LocationSchema,
]);
export type Rule = z.infer<typeof RuleSchema>;
export type TokenRule = z.infer<typeof TokenSchema>;
export type PatternRule = z.infer<typeof PatternSchema>;
export type FamilyRule = z.infer<typeof FamilySchema>;
export type SearchRule = z.infer<typeof SearchSchema>;

/** Which names speak of a secret. Words are compared with the words of a name (`dbPassword` has two). */
export const NamesSchema = z.strictObject({
  /** By rule: phrases in the name. A blank stands for any separator, or none. */
  phrases: z.record(z.string(), z.array(line)),
  /** Phrases that may also end a longer word, as in `dbpassword`. */
  fused: lines,
  /** Words before the phrase that make it something else (`next_token`, `public_key`). */
  not_before: lines,
  /** Words behind the phrase that make it something else (`token_type`, `password_file`). */
  not_after: lines,
  /** Last words of names in capitals (`WEATHER_KEY`) and of own headers (`X-Weather-Key`), whose values must be strong. By rule. */
  capitals: z.record(z.string(), lines),
  /** Words behind the phrase that leave it what it is (`token_value`, `password_prod`). */
  neutral_after: lines,
});
export type Names = z.infer<typeof NamesSchema>;

export const SuppressSchema = z.strictObject({
  /** Published examples, compared as a whole. */
  documented: lines,
  /** Patterns over the whole value: templates and references to a secret kept elsewhere. */
  references: lines,
  /** Words that make a value a placeholder when they stand in it as a word. */
  words: lines,
  /** Patterns over the whole value for values of letters and digits alone. */
  plain: lines,
  /** Patterns over the whole value, which holds a sign, that are no secret under any name: hashes of lock files, ids of the agent. */
  harmless: lines,
});
export type Suppress = z.infer<typeof SuppressSchema>;

export const DocumentSchema = z.strictObject({
  rules_version: line.optional(),
  names: NamesSchema.optional(),
  suppress: SuppressSchema.optional(),
  /** Rows of a 37x37 table over a-z, 0-9 and all else: how likely, in words, the second follows the first. */
  bigrams: z.array(line.length(37)).length(37).optional(),
  rules: z.array(RuleSchema).default([]),
});
export type RuleDocument = z.infer<typeof DocumentSchema>;
