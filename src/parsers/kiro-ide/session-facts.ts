import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs } from '../json-store.js';
import type { Companions } from '../parser.js';
import { quietJson } from '../whole-file.js';
import { instantOf, textOf } from './fields.js';

export const INDEX = 'sessions.json';

/** Each session file asks for its entry: a long list is not read again for each of them. */
const MOST_INDEX = 1 << 20;

/** Entry of a session in the index beside it; undefined where none can be read, or none names it. */
export function indexEntry(companions: Companions, id: string): JsonObject | undefined {
  const source = companions.get(INDEX);
  const stored = source === undefined || source.size > MOST_INDEX ? undefined : quietJson(source);
  if (!Array.isArray(stored)) return undefined;
  const entries: unknown[] = stored;
  return entries.filter(isObject).find((entry) => textOf(entry, 'sessionId') === id);
}

/** What the index says of a session, as the index and the session file beside it both give it. */
export function listedRow(entry: JsonObject): Pick<Draft, 'text' | 'time' | 'identity'> {
  const id = textOf(entry, 'sessionId');
  const title = textOf(entry, 'title');
  return {
    text: `session: ${entry.hidden === true ? 'hidden in index' : 'listed in index'}${pairs({ id })}${title === '' ? '' : `: ${title}`}`,
    time: instantOf(entry.dateCreated, 'record'),
    identity: `kiro-ide\u0000listed\u0000${id}`,
  };
}
