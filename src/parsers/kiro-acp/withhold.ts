import { isObject, type JsonObject } from '../../evidence/json.js';

// A recording holds the bearer tokens the client hands to the agent. They open an account, and no row needs them.

const TOKEN_KEY = /^(?:access|refresh|bearer|id|auth|session)?[_-]?token$|^authorization$/i;
const TOKEN_TEXT = /(?:access|refresh|bearer|id)[_-]?token|getaccesstoken|profilearn|\bbearer |\beyJ[\w-]{10}/i;
/** What an answer with a token holds besides it. */
const HARMLESS = new Set(['expiresAt', 'expires_at', 'profileArn', 'provider', 'region', 'tokenType', 'type', 'sessionId']);

export const asksForToken = (method: string) => /auth\/.{0,40}token/i.test(method);

/** Does a value hold a text under a name for tokens? */
export function holdsToken(root: unknown): boolean {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'string' && TOKEN_KEY.test(key)) return true;
      open.push(child);
    }
  }
  return false;
}

/** Facts of an answer that holds a token: its length, and the fields that are known to be no secret. */
export function tokenFacts(result: unknown): JsonObject {
  const fields = isObject(result) ? Object.entries(result) : [];
  const texts =
    typeof result === 'string' ? [result] : fields.filter(([key]) => !HARMLESS.has(key)).map(([, value]) => JSON.stringify(value) ?? '');
  const longest = Math.max(
    0,
    ...(isObject(result) && typeof result.accessToken === 'string' ? [result.accessToken.length] : texts.map((t) => t.length)),
  );
  const kept = fields.filter(([key, value]) => HARMLESS.has(key) && typeof value !== 'object');
  return { token: 'token withheld', length: longest, ...Object.fromEntries(kept) };
}

/** A text of unknown form as it may be shown. */
export function showUnread(text: string): string {
  return TOKEN_TEXT.test(text) ? `[withheld: ${text.length} characters that may hold a token]` : text;
}
