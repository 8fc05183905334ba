import { parseJson } from '../evidence/json.js';
import { type FileSource, TooLargeError } from '../evidence/source.js';

/** Content of a small store; undefined for a file above the limit for such stores. */
export function wholeFile(source: FileSource): Buffer | undefined {
  try {
    return source.bytes();
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

/** The JSON value of a file beside another one; what cannot be read here is said where the file itself is read. */
export function quietJson(source: FileSource | undefined): unknown {
  const bytes = source === undefined ? undefined : wholeFile(source);
  const parsed = bytes === undefined ? undefined : parseJson(bytes);
  return parsed?.ok ? parsed.value : undefined;
}
