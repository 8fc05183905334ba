import { isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../../evidence/json.js';
import type { ByteSource } from '../../evidence/source.js';
import { excerpt } from '../../rows/problem.js';
import { tameNesting, tooDeep } from './nesting.js';
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
  const cut = tameNesting(parsed.value);
  if (cut > 0) faults.push({ what: tooDeep(cut), pointer: '', offset: null, excerpt: '' });
  return valueInMemory(parsed.value, faults);
}

/** Offset of the first byte that is not part of valid UTF-8, found by halving. */
function firstInvalid(bytes: Buffer): number {
  let valid = 0;
  let rest = bytes.length;
  while (rest > 0) {
    const half = Math.max(1, rest >> 1);
    let end = valid + half;
    // Never cut inside a character: move to the next byte that starts one.
    while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80 && end - valid - half < 4) end += 1;
    if (end - valid <= rest && isUtf8(bytes.subarray(valid, end))) {
      valid = end;
      rest -= half;
    } else if (half === 1) return valid;
    else rest = half;
  }
  return valid;
}
