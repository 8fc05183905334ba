import { z } from 'zod';
import type { RuleHead } from '../rules/types.js';
import { refuse } from './refuse.js';

const TextOrList = z.union([z.string(), z.array(z.string())]);
const Part = z.string().nullish();
// YAML may read a date as a date.
const Day = z.union([z.string(), z.date()]).nullish();

/** The parts of a Sigma rule that are read. All others are for people. */
const DocumentSchema = z.looseObject({
  title: z.string().min(1),
  id: z.string().nullish(),
  status: z.string().nullish(),
  description: z.string().nullish(),
  license: z.string().nullish(),
  author: TextOrList.nullish(),
  references: TextOrList.nullish(),
  date: Day,
  modified: Day,
  tags: z.array(z.string()).nullish(),
  logsource: z.looseObject({ category: Part, product: Part, service: Part }),
  detection: z.record(z.string(), z.unknown()),
  falsepositives: TextOrList.nullish(),
  level: z.string().nullish(),
});
export type SigmaDocument = z.infer<typeof DocumentSchema>;

export function readDocument(document: unknown): SigmaDocument {
  const result = DocumentSchema.safeParse(document);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuse(`${issue?.path.join('.') || 'the rule'}: ${issue?.message ?? 'not as a Sigma rule'}`);
}

/** What is known of technique ids. */
export interface TechniqueIds {
  /** What is wrong with an id, or ''. */
  attackProblem(id: string): string;
  /** The id that took the place of a retired one, or the id itself. */
  current(id: string): string;
}

const LEVELS = { critical: 'critical', high: 'high', medium: 'medium', low: 'low', informational: 'info' } as const;
type SigmaLevel = keyof typeof LEVELS;
const isLevel = (level: string): level is SigmaLevel => Object.hasOwn(LEVELS, level);

/** Head of the rule in our words. Author and origin stay with it, as the licence of the public rules asks. */
export function headOf(document: SigmaDocument, ids: TechniqueIds): RuleHead {
  const { title, description, level } = document;
  if (level === null || level === undefined) refuse('no level');
  if (!isLevel(level)) refuse(`the level \`${level}\` is none of ${Object.keys(LEVELS).join(', ')}`);
  const { attack, notes } = techniquesOf(document.tags ?? [], ids);
  const otherwise = listOf(document.falsepositives).filter((text) => !/^(?:unknown|none|unlikely|n\/a)?\.?$/i.test(text.trim()));
  return {
    id: `sigma.${document.id ? document.id.toLowerCase() : slugOf(title)}`,
    version: versionOf(document),
    title,
    level: LEVELS[level],
    means: [(description ?? title).trim(), ...notes].join(' '),
    otherwise: otherwise.length > 0 ? otherwise : ['The rule names no other explanation.'],
    attack,
    atlas: [],
    author: listOf(document.author).join(', '),
    source: sourceOf(document),
  };
}

const listOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  value === null || value === undefined ? [] : typeof value === 'string' ? [value] : value;

function techniquesOf(
  tags: readonly string[],
  ids: TechniqueIds,
): { readonly attack: readonly string[]; readonly notes: readonly string[] } {
  const attack = new Set<string>();
  const notes: string[] = [];
  for (const tag of tags) {
    const id = /^attack\.(t\d{4}(?:\.\d{3})?)$/i.exec(tag)?.[1]?.toUpperCase();
    if (id === undefined) continue;
    const current = ids.current(id);
    const problem = ids.attackProblem(current);
    if (problem === '') attack.add(current);
    if (problem !== '') notes.push(`Its tag ${id} is left out: ${problem}.`);
    else if (current !== id) notes.push(`Its tag ${id} is retired; ${current} took its place.`);
  }
  return { attack: [...attack], notes };
}

/** The day of the last change as a number, which rises with each change; 1 without a date. */
function versionOf({ modified, date }: SigmaDocument): number {
  const day = modified ?? date ?? '';
  const [, year, month, of] = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(typeof day === 'string' ? day : day.toISOString()) ?? [];
  return year === undefined || month === undefined || of === undefined ? 1 : Number(`${year}${month}${of}`);
}

function sourceOf({ id, license, references }: SigmaDocument): string {
  const name = id ? `Sigma rule ${id}` : 'a Sigma rule without id';
  return [license ? `${name} (${license})` : name, ...listOf(references)].join('; ');
}

/** A name of a rule without id, made of its title. */
function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? refuse('neither an id nor a title to name it by') : slug;
}
