import { isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../../evidence/json.js';
import type { ByteSource } from '../../evidence/source.js';
import { excerpt } from '../../rows/problem.js';
import { tameJson } from '../tame-json.js';
import { tooDeep } from './nesting.js';
import { type ConversationValue, NOT_UTF8, type ValueFault, valueInMemory } from './value.js';
import { valueFromBytes } from './value-indexed.js';

/** Up to here a value is parsed in one go; above, entry by entry, so that memory does not grow with it. */
const WHOLE_LIMIT = 8 * 1024 * 1024;

/** Reads a conversation value. A document that is cut or damaged gives every entry that is whole, and a fault. */
export function loadConversation(source: ByteSource): ConversationValue {
  if (source.size > WHOLE_LIMIT) return valueFromBytes(source, []);
  const bytes = source.read(0, source.size);
  const faults: ValueFault[] = [];
  if (!isUtf8(bytes))
    faults.push({
      what: NOT_UTF8,
      pointer: '',
      offset: firstInvalid(bytes),
      excerpt: '',
    });
  const parsed = parseJson(bytes);
  if (!parsed.ok) {
    return valueFromBytes(source, faults, parsed.problem);
  }
  if (!isObject(parsed.value))
    return valueInMemory({}, [
      ...faults,
      { what: 'conversation value is not a JSON object', pointer: '', offset: null, excerpt: excerpt(bytes.subarray(0, 120)) },
    ]);
  const cut = tameJson(parsed.value);
  if (cut > 0) faults.push({ what: tooDeep(cut), pointer: '', offset: null, excerpt: '' });
  return valueInMemory(parsed.value, faults);
}

/** Offset of the first byte that is not part of valid UTF-8: where the text written again parts from the bytes. */
function firstInvalid(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at += 1;
  // The first bytes of a sequence that breaks off may be those of U+FFFD, which stands for it.
  while (at > 0 && ((again[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
