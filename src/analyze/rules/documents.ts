import { type Document, isMap, isNode, isScalar, LineCounter, parseAllDocuments } from 'yaml';
import { RulesFileError } from './errors.js';

/** One document of a file of rules, as plain values, with a way back to the lines. */
export interface RulesDocument {
  readonly file: string;
  readonly value: unknown;
  /** Line of what stands at a path, or of the next thing around it; 0 where lines are not known. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

const MOST_DEPTH = 40;
const TOO_DEEP = `nested deeper than ${MOST_DEPTH} levels`;

/** The documents of one file. Throws when it is no YAML, with line and reason. */
export function readRulesText(text: string, file: string): RulesDocument[] {
  const counter = new LineCounter();
  const documents = parsed(text, file, counter);
  const found: RulesDocument[] = [];
  for (const document of documents) {
    for (const { message, pos } of document.errors)
      throw new RulesFileError([{ file, rule: '', line: counter.linePos(pos[0]).line, message: plainly(message) }]);
    const lineOf = (path: readonly PropertyKey[]) => lineIn(document, counter, path);
    const value = plain(document, file, lineOf([]));
    if (value !== null) found.push({ file, value, lineOf });
  }
  return found;
}

/** The parser's own words, without the text it shows below them; its stack has an end. */
const plainly = (message: string) => (message.startsWith('Maximum call stack') ? TOO_DEEP : (message.split('\n')[0] ?? ''));

type Parsed = Pick<Document, 'errors' | 'contents' | 'toJS'>;

function parsed(text: string, file: string, lineCounter: LineCounter): readonly Parsed[] {
  if (tooDeep(text)) throw new RulesFileError([{ file, rule: '', line: 0, message: TOO_DEEP }]);
  try {
    const documents: readonly Parsed[] = parseAllDocuments(text, { lineCounter });
    return documents;
  } catch (error) {
    throw new RulesFileError([{ file, rule: '', line: 0, message: plainly(error instanceof Error ? error.message : String(error)) }]);
  }
}

/** Brackets deeper than any rule needs would end the parser by its own depth. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1);
    else if (char === '\n') depth = 0;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

function plain(document: Parsed, file: string, line: number): unknown {
  try {
    // An alias could stand for itself, or for more than memory holds.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    if (depthOf(value) <= MOST_DEPTH) return value;
  } catch (error) {
    const message =
      error instanceof ReferenceError ? 'aliases (*name) are not read' : error instanceof Error ? error.message : String(error);
    throw new RulesFileError([{ file, rule: '', line, message }]);
  }
  throw new RulesFileError([{ file, rule: '', line, message: TOO_DEEP }]);
}

/** Levels of a value, counted level by level: without recursion, whatever the depth. */
function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  for (let depth = 0; ; depth++) {
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    if (level.length === 0 || depth > MOST_DEPTH) return depth;
  }
}

function lineIn({ contents }: Parsed, counter: LineCounter, path: readonly PropertyKey[]): number {
  let at: unknown = contents;
  let offset = isNode(at) ? at.range?.[0] : undefined;
  for (const key of path) {
    if (isMap(at)) {
      const pair = at.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      at = pair.value;
    } else if (isNode(at) && 'items' in at && Array.isArray(at.items)) {
      at = at.items[Number(key)];
      if (isNode(at)) offset = at.range?.[0] ?? offset;
    } else break;
  }
  return offset === undefined ? 0 : counter.linePos(offset).line;
}
