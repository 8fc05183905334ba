import { isObject, parseJson } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import { tellsDecision } from './decisions.js';
import type { Turn } from './turn.js';

/** How the program begins a line, up to the message id. */
const HEAD = /^\{"version":"v1","kind":"[A-Za-z]{1,40}","data":\{"message_id":"([^"\\]{1,200})"/;

/** Which of the messages a session file repeats or decides about the journal beside it holds. */
export function idsInJournal(journal: FileSource | undefined, turns: readonly Turn[]): ReadonlySet<string> {
  const held = new Set<string>();
  const wanted = new Set(turns.flatMap((turn) => [turn.answer?.id ?? '', ...(tellsDecision(turn) ? turn.ids : [])]).filter(Boolean));
  if (journal === undefined || wanted.size === 0) return held;
  for (const { bytes } of journal.lines()) {
    const id = HEAD.exec(bytes.toString('latin1', 0, 512))?.[1] ?? slowId(bytes);
    if (wanted.has(id)) held.add(id);
  }
  return held;
}

function slowId(bytes: Buffer): string {
  const parsed = parseJson(bytes);
  const data = parsed.ok && isObject(parsed.value) ? parsed.value.data : undefined;
  return isObject(data) && typeof data.message_id === 'string' ? data.message_id : '';
}
