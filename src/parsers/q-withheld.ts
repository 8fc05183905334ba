import { parseJson } from '../evidence/json.js';
import type { WithheldCredential } from '../rows/draft.js';

const SECRET_FIELD = /token$|secret|password|access_?key/i;
/** `client_secret_expires_at`, `secret_arn`: their values stand in other places, too, and tell nothing. */
const BESIDE_SECRET = /(?:expir\w*|type|url|uri|arn|name|region|length)$/i;
/** A text field of an object that may end inside it. */
const FIELD = /"(\w{1,80})":"((?:[^"\\]|\\.){1,65536})/g;
/** So much of a cut value tells it from chance. */
const SHORTEST_CUT = 16;

/**
 * Credentials in a stored value: the fields of its JSON whose names say so, else the whole. They are marked and masked
 * wherever they occur, and never written.
 */
export function withheldValues(stored: string, rule: string): WithheldCredential[] {
  const parsed = parseJson(Buffer.from(stored));
  const value = parsed.ok ? parsed.value : undefined;
  if (typeof value === 'string') return value === '' ? [] : [{ rule, key: '', value }];
  if (typeof value !== 'object' || value === null) {
    const cut = stored.startsWith('{') ? fieldsOfCut(stored, rule) : [];
    return cut.length > 0 || stored === '' ? cut : [{ rule, key: '', value: stored }];
  }
  const found: WithheldCredential[] = [];
  // A list, not a recursion: stored values may be nested as deep as they like.
  for (const open: unknown[] = [value]; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, field] of Object.entries(next)) {
      if (typeof field !== 'string') open.push(field);
      else if (field !== '' && isSecret(key)) found.push({ rule, key, value: field });
    }
  }
  return found;
}

const isSecret = (key: string): boolean => SECRET_FIELD.test(key) && !BESIDE_SECRET.test(key);

/** A value whose end is lost, as in a page that was written again: whole fields, and of the last one what is left. */
function fieldsOfCut(stored: string, rule: string): WithheldCredential[] {
  const found: WithheldCredential[] = [];
  for (const { 0: all, 1: key = '', 2: value = '', index } of stored.matchAll(FIELD)) {
    const whole = stored[index + all.length] === '"';
    if (isSecret(key) && (whole || value.length >= SHORTEST_CUT)) found.push({ rule, key, value });
  }
  return found;
}
