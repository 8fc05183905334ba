import { isObject, type JsonObject } from '../evidence/json.js';

/** Paths that a call names under one of these keys, at any depth of them, in order and each once; `more` are looked at behind. */
export function namedPaths(input: JsonObject, keys: readonly string[], ...more: readonly unknown[]): string[] {
  const paths = new Set<string>();
  const take = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value !== '') paths.add(value);
    } else if (Array.isArray(value)) for (const item of value) take(item);
    else if (isObject(value)) for (const key of keys) if (Object.hasOwn(value, key)) take(value[key]);
  };
  for (const value of [input, ...more]) take(value);
  return [...paths];
}
