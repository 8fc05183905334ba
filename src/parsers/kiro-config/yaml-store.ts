import { type Document, isCollection, parseDocument, Scalar, visit } from 'yaml';
import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import { decodeUtf8 } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { tameJson } from '../tame-json.js';
import { wholeFile } from '../whole-file.js';

// Small configuration files in YAML. What is wrong is said by code and line: the parser's own messages quote the file.

/** Text of a file; undefined, behind an error row, when it is too large. Damaged bytes are read as U+FFFD and said. */
export function* textOf(source: FileSource, what: string, columns: Partial<Draft>): Generator<Draft, string | undefined> {
  const bytes = wholeFile(source);
  if (bytes === undefined) {
    yield { ...errorDraft(`${what}: file of ${source.size} bytes is too large to be read as one document`), ...columns };
    return undefined;
  }
  const { text, valid } = decodeUtf8(bytes);
  if (!valid) yield { ...errorDraft(`${what}: not valid UTF-8, each damaged byte is read as U+FFFD`, bytes), ...columns };
  return text;
}

/** The object a YAML text holds; an empty one for a text without content. */
export function* yamlObject(text: string, what: string, columns: Partial<Draft>): Generator<Draft, JsonObject | undefined> {
  const { value, fault } = parseYaml(text);
  if (fault !== '') yield { ...errorDraft(`${what}: invalid YAML (${fault})`, text), ...columns };
  const cut = tameJson(value);
  if (cut > 0) yield { ...errorDraft(`${what}: ${cut} values nested deeper than 128 levels are left out`), ...columns };
  if (value === undefined || value === null) return fault === '' ? {} : undefined;
  if (isObject(value)) return value;
  yield { ...errorDraft(`${what} is not an object`), ...columns, details: { value } };
  return undefined;
}

/**
 * A key that is a list or a map is taken as the text it is written in. Made into a name by the library, it is written anew with one
 * line and its indentation for each level, which grows with the square of the depth.
 */
function nameKeys(document: Document, text: string): void {
  visit(document, {
    Pair(_, pair) {
      const { key } = pair;
      if (isCollection(key)) pair.key = new Scalar(text.slice(key.range?.[0], key.range?.[1]));
    },
  });
}

/** What can be read of a text stands beside what is wrong with it. Aliases are followed a bounded number of times. */
function parseYaml(text: string): { readonly value: unknown; readonly fault: string } {
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
    const [error] = document.errors;
    const line = error?.linePos?.[0].line;
    nameKeys(document, text);
    const value: unknown = document.toJS();
    return { value, fault: error === undefined ? '' : `${error.code.toLowerCase()}${line === undefined ? '' : ` at line ${line}`}` };
  } catch {
    return { value: undefined, fault: 'aliases or nesting without end' };
  }
}
