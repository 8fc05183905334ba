import { isUtf8 } from 'node:buffer';
import { type Artifact, type FileSource, type Line, TooLargeError } from '../../evidence/source.js';
import { decodeUtf8 } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';

// What the text files of AI-DLC have in common.

export const NOT_UTF8 = 'not valid UTF-8: each damaged byte is written as \\xNN';

export interface Decoded {
  readonly text: string;
  readonly problem: string;
}

export function decoded(bytes: Buffer): Decoded {
  return isUtf8(bytes) ? { text: decodeUtf8(bytes).text, problem: '' } : { text: showBytes(bytes), problem: NOT_UTF8 };
}

/** A line without its line end; a byte order mark stands only ahead of the first. */
export function decodedLine(line: Line): Decoded {
  const bytes = line.bytes.at(-1) === 0x0d ? line.bytes.subarray(0, -1) : line.bytes;
  const { text, problem } = decoded(bytes);
  return {
    text: line.number === 1 ? text : bytes.toString('utf8').startsWith('\ufeff') && problem === '' ? `\ufeff${text}` : text,
    problem,
  };
}

/** The whole of a small file; what is too large is said in an error row. */
export function* wholeText(source: FileSource, what: string): Generator<Draft, Decoded | undefined> {
  try {
    return decoded(source.bytes());
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    yield { ...errorDraft(`${what}: file of ${source.size} bytes is too large to be read as a whole`), ...projectOf(source.artifact) };
    return undefined;
  }
}

export function projectOf(artifact: Artifact): Pick<Draft, 'project_path'> {
  return { project_path: artifact.inProject ? artifact.base : '' };
}

export const nameOf = (artifact: Artifact) => artifact.file.slice(artifact.file.lastIndexOf('/') + 1);

/** The folder of a file, as many levels up as given. */
export const folderOf = (artifact: Artifact, up: number) => artifact.file.split('/').at(-1 - up) ?? '';

/** Space and intent a record belongs to, as far as its path tells. */
export function intentOf(artifact: Artifact): Record<string, string> {
  const parts = artifact.file.split('/');
  const after = (name: string) => parts[parts.lastIndexOf(name) + 1] ?? '';
  const space = parts.includes('spaces') ? after('spaces') : '';
  const intent = parts.includes('intents') ? after('intents') : '';
  return { ...(space === '' ? {} : { space }), ...(intent === '' || intent.includes('.') ? {} : { intent }) };
}
