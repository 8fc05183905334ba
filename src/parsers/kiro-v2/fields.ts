import { isBare, type JsonObject, pick } from '../../evidence/json.js';

/** Fields no column takes, under one name, so that they cannot be taken for what this program wrote. */
export function named(name: string, rest: JsonObject): JsonObject {
  const kept = filled(rest);
  return isBare(kept) ? {} : { [name]: kept };
}

/** Without fields that say nothing: missing, null, or an empty list. */
export function filled(fields: JsonObject): JsonObject {
  return pick(fields, (_, value) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0));
}
