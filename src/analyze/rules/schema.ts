import { z } from 'zod';
import { COLUMNS, type Column, RowSchema } from '../../rows/row.js';

// The rule format. Strict: a key nobody reads is a rule that silently does not do what its author meant.

export const LEVELS = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Level = (typeof LEVELS)[number];

const CHECK_NAMES = [
  'time-backwards',
  'file-older-than-content',
  'in-the-future',
  'copies-differ',
  'claim-tests',
  'claim-write',
  'store-rebuilt',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

type Scalar = string | number | boolean;
type Texts = string | string[];

export interface MatcherObject {
  re?: Texts | undefined;
  list?: Texts | undefined;
  path?: Texts | undefined;
  host?: Texts | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  exists?: boolean | undefined;
  not?: Matcher | undefined;
  none?: Matcher | undefined;
  all?: Matcher | undefined;
  count?: Matcher | undefined;
}
export type Matcher = Scalar | (Scalar | MatcherObject)[] | MatcherObject;

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const Texts = z.union([z.string(), z.array(z.string()).min(1)]);
const filled = (value: object) => Object.values(value).some((part) => part !== undefined);

const MatcherObject: z.ZodType<MatcherObject> = z.lazy(() =>
  z
    .strictObject({
      re: Texts.optional(),
      list: Texts.optional(),
      path: Texts.optional(),
      host: Texts.optional(),
      gte: z.number().optional(),
      lt: z.number().optional(),
      exists: z.boolean().optional(),
      not: Matcher.optional(),
      none: Matcher.optional(),
      all: Matcher.optional(),
      count: Matcher.optional(),
    })
    .refine(filled, 'an empty matcher'),
);
const Matcher: z.ZodType<Matcher> = z.lazy(() => z.union([Scalar, z.array(z.union([Scalar, MatcherObject])).min(1), MatcherObject]));

export type TextFact = 'name' | 'line' | 'sub' | 'via' | 'heredoc';
export type ListFact =
  | 'arg'
  | 'op'
  | 'flag'
  | 'reads'
  | 'writes'
  | 'deletes'
  | 'fetches'
  | 'sends'
  | 'urls'
  | 'from'
  | 'to'
  | 'wrapper'
  | 'env';
export type SwitchFact =
  | 'recursive'
  | 'force'
  | 'body'
  | 'body_file'
  | 'privileged'
  | 'remote'
  | 'container'
  | 'encoded'
  | 'stdin_code'
  | 'outside_project';
export type InnerFact = 'upstream' | 'subst' | 'procsub';

/** Facts of one simple command; all that are named must hold for the same command. */
export type CommandCondition = { [K in TextFact | ListFact]?: Matcher | undefined } & { [K in SwitchFact]?: boolean | undefined } & {
  [K in InnerFact]?: CommandCondition | undefined;
} & {
  value?: Record<string, Matcher> | undefined;
  any?: CommandCondition[] | undefined;
  all?: CommandCondition[] | undefined;
  not?: CommandCondition | CommandCondition[] | undefined;
};

const CommandCondition: z.ZodType<CommandCondition> = z.lazy(() => {
  const matcher = Matcher.optional();
  const flag = z.boolean().optional();
  const inner = CommandCondition.optional();
  return z
    .strictObject({
      name: matcher,
      line: matcher,
      sub: matcher,
      via: matcher,
      heredoc: matcher,
      arg: matcher,
      op: matcher,
      flag: matcher,
      reads: matcher,
      writes: matcher,
      deletes: matcher,
      fetches: matcher,
      sends: matcher,
      urls: matcher,
      from: matcher,
      to: matcher,
      wrapper: matcher,
      env: matcher,
      recursive: flag,
      force: flag,
      body: flag,
      body_file: flag,
      privileged: flag,
      remote: flag,
      container: flag,
      encoded: flag,
      stdin_code: flag,
      outside_project: flag,
      upstream: inner,
      subst: inner,
      procsub: inner,
      value: z.record(z.string().regex(/^[-/]/, 'the name of an option'), Matcher).optional(),
      any: z.array(CommandCondition).min(1).optional(),
      all: z.array(CommandCondition).min(1).optional(),
      not: z.union([z.array(CommandCondition).min(1), CommandCondition]).optional(),
    })
    .refine(filled, 'an empty condition');
});

const HOW = z.enum(['read', 'write', 'delete']);
const Touch = z.strictObject({ how: z.union([HOW, z.array(HOW).min(1)]), path: Texts, but: Texts.optional() });
export type Touch = z.infer<typeof Touch>;
export type How = z.infer<typeof HOW>;

const isColumn = (name: string): name is Column => COLUMNS.some((column) => column === name);
const JOINED = new Set(['decision', 'decided_by', 'status', 'exit_code', 'not_run', 'approvals_recorded']);

/** A column, a joined value, a value below `details`, or one of the two times that are no column. */
function isField(name: string): boolean {
  if (name === 'file_mtime' || name === 'collected_at' || isColumn(name)) return true;
  return name.startsWith('details.') ? name.length > 8 : name.startsWith('joined.') && JOINED.has(name.slice(7));
}

const Where = z.record(z.string().refine(isField, { error: 'no column, joined value or details' }), Matcher);

export interface Condition {
  where?: Record<string, Matcher> | undefined;
  command?: CommandCondition | undefined;
  commands?: CommandCondition[] | undefined;
  touch?: Touch | undefined;
  any?: Condition[] | undefined;
  all?: Condition[] | undefined;
  not?: Condition | Condition[] | undefined;
}

export const ConditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z
    .strictObject({
      where: Where.optional(),
      command: CommandCondition.optional(),
      commands: z.array(CommandCondition).min(1).optional(),
      touch: Touch.optional(),
      any: z.array(ConditionSchema).min(1).optional(),
      all: z.array(ConditionSchema).min(1).optional(),
      not: z.union([z.array(ConditionSchema).min(1), ConditionSchema]).optional(),
    })
    .refine(filled, 'an empty condition'),
);

const ColumnName = z.string().refine(isColumn, { error: 'no column of the timeline' });

const SAME = ['command', 'effect_path', 'path'] as const;
export type SameKey = (typeof SAME)[number] | { readonly column: Column };
const SameSchema = z
  .union([z.enum(SAME), ColumnName])
  .transform((name): SameKey => SAME.find((key) => key === name) ?? { column: columnOf(name) });
const columnOf = (name: string): Column => COLUMNS.find((column) => column === name) ?? 'text';

const Sequence = z.strictObject({
  by: z.literal('session_id'),
  within_rows: z.int().min(1).max(100_000),
  steps: z.array(ConditionSchema).min(2).max(8),
  same: z.array(SameSchema).default([]),
  until: ConditionSchema.optional(),
});

const Group = z.strictObject({
  by: z.union([z.literal('secret'), ColumnName]),
  when: ConditionSchema,
  distinct: ColumnName.optional(),
  at_least: z.int().min(2),
});

/** A string is a command, an object a row with the columns that matter, a list several rows of one session. */
const SampleRow = z.union([z.string(), z.record(z.string(), z.unknown())]);
const Sample = z.union([SampleRow, z.array(SampleRow).min(1)]);
export type Sample = z.infer<typeof Sample>;

export const RuleSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z]+\.[a-z0-9][a-z0-9-]*$/, 'an id is family.short-name'),
    version: z.int().min(1).default(1),
    replaces: z.string().optional(),
    title: z.string().min(1).max(80),
    level: z.enum(LEVELS),
    means: z.string().min(1),
    otherwise: z.array(z.string().min(1)).min(1, 'at least one other explanation'),
    attack: z.array(z.string()).default([]),
    atlas: z.array(z.string()).default([]),
    author: z.string().default(''),
    source: z.string().default(''),
    rows: z.array(RowSchema.shape.row_type).min(1).optional(),
    match: ConditionSchema.optional(),
    sequence: Sequence.optional(),
    group: Group.optional(),
    check: z.enum(CHECK_NAMES).optional(),
    samples: z.strictObject({
      match: z.array(Sample).min(1, 'at least one sample that matches'),
      no_match: z.array(Sample).min(1, 'at least one sample that does not match'),
    }),
  })
  .refine(({ match, sequence, group, check }) => [match, sequence, group, check].filter((part) => part !== undefined).length === 1, {
    error: 'exactly one of match, sequence, group, check',
  });
export type Rule = z.infer<typeof RuleSchema>;

const Entry = z.union([z.string().min(1), z.strictObject({ re: z.string() }), z.strictObject({ list: z.string() })]);
export type ListEntry = z.infer<typeof Entry>;
const ListSchema = z.union([z.array(Entry), z.strictObject({ extend: z.boolean().default(false), entries: z.array(Entry) })]);
const ListName = z.string().regex(/^(?:path\.|host\.)?[a-z][a-z0-9-]*$/, 'a list is name, path.name or host.name');
export type ListDefinition = z.infer<typeof ListSchema>;

/** A file: rules under `rules`, lists under `lists`, or one rule alone. */
export const FileSchema = z.strictObject({
  rules: z.array(RuleSchema).default([]),
  lists: z.record(ListName, ListSchema).default({}),
});
export type RulesFile = z.infer<typeof FileSchema>;
