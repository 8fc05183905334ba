import type { z } from 'zod';
import { isObject, type JsonObject, parseJson } from '../evidence/json.js';
import type { Artifact, FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, excerpt } from '../rows/problem.js';
import { fits } from './fits.js';
import { MAX_DEPTH, tameJson } from './tame-json.js';
import { wholeFile } from './whole-file.js';

// What the small stores that are one JSON object have in common.

// The program reads its files with serde_json, which refuses a nesting of more than 128.

export type StoreColumns = Pick<Draft, 'time' | 'project_path'>;

/** Columns of every row of a store without times of its own: the file time, and the project for project files. */
export function storeColumns(artifact: Artifact): StoreColumns {
  return { time: artifact.mtime, project_path: artifact.inProject ? artifact.base : '' };
}

/** The object a file holds. What cannot be read is yielded as error rows; `undefined` means that nothing can be. */
export function* readObject(source: FileSource, what: string): Generator<Draft, JsonObject | undefined> {
  const columns = storeColumns(source.artifact);
  const bytes = wholeFile(source);
  if (!bytes) {
    yield { ...errorDraft(`${what}: file of ${source.size} bytes is too large to be read as one JSON document`), ...columns };
    return undefined;
  }
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    yield { ...errorDraft(`${what}: ${parsed.problem}`, bytes), ...columns };
    return undefined;
  }
  const cut = tameJson(parsed.value);
  if (cut > 0) yield { ...errorDraft(`${what}: ${cut} values nested deeper than ${MAX_DEPTH} levels are left out`), ...columns };
  if (!parsed.validUtf8) {
    yield { ...errorDraft(`${what}: not valid UTF-8, each damaged byte is read as U+FFFD`, bytes), ...columns };
  }
  if (isObject(parsed.value)) return parsed.value;
  yield { ...errorDraft(`${what} is not a JSON object`), details: { value: parsed.value }, ...columns };
  return undefined;
}

/**
 * The fields of a record that have the expected type; those that have not are left out and named. Only for typed
 * reading: the schema drops a key `__proto__` and reorders, so that raw values are taken from the record itself.
 */
export function typed<T extends z.ZodObject>(schema: T, record: JsonObject): { readonly fields: z.output<T>; readonly problem: string } {
  if (fits(schema, record)) return { fields: record, problem: '' };
  const first = schema.safeParse(record);
  if (first.success) return { fields: first.data, problem: '' };
  const faulty = new Set(first.error.issues.map((issue) => String(issue.path[0])));
  const sound = Object.fromEntries(Object.entries(record).filter(([key]) => !faulty.has(key)));
  const problem = first.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ');
  return { fields: schema.parse(sound), problem };
}

/** Fields of a record that are not among the known ones, in stored order. */
export function unknownFields(record: JsonObject, known: ReadonlySet<string>): [string, unknown][] {
  return Object.entries(record).filter(([key]) => !known.has(key));
}

/** ` key=value` for each value that is there; texts as they are, everything else as JSON. */
export function pairs(values: Readonly<Record<string, unknown>>): string {
  let all = '';
  for (const key in values) {
    const value = values[key];
    if (value !== undefined && value !== null && value !== '')
      all += ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
  }
  return all;
}

/** Several problems as one text. */
export function problems(...found: readonly (string | false | undefined)[]): string {
  let all = '';
  for (const problem of found) if (problem) all = all === '' ? problem : `${all}; ${problem}`;
  return all;
}

/** Names of stored keys, bounded and safe to print. */
export function names(keys: readonly string[]): string {
  return excerpt(keys.join(', '));
}
