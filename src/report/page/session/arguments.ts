/** The arguments of a call by name, where its text is a JSON object. */
import { originalOf, type Raw, rawOf } from '../text/raw.js';

export interface Argument {
  readonly name: string;
  readonly key: Raw;
  readonly text: Raw;
  /** Whether it was a string; else `text` is its JSON. */
  readonly isText: boolean;
}

export function argumentsOf(text: Raw): Argument[] | null {
  try {
    const value: unknown = JSON.parse(originalOf(text));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return Object.entries(value).map(([name, one]) => {
      const isText = typeof one === 'string';
      return { name, key: rawOf(name), text: rawOf(isText ? one : JSON.stringify(one)), isText };
    });
  } catch {
    return null;
  }
}
