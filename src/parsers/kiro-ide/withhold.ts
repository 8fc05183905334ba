import { isObject } from '../../evidence/json.js';

// Credentials among settings and remembered values are told by name and size; their values never get into a row.

const SECRET =
  /credential|secret|password|passwd|private[-_.]?key|api[-_.]?key|authorization|bearer|(?:access|refresh|id|auth|session|client)[-_.]?token|^token$/i;

export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** The value with each member that is named like a credential replaced by its size. */
export function withheld(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withheld);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isSecretName(key) && isValue(member) ? note(member) : withheld(member)]),
  );
}

const isValue = (member: unknown) => typeof member === 'string' && member !== '';
const note = (member: unknown) => `[withheld, ${Buffer.byteLength(String(member))} bytes]`;
