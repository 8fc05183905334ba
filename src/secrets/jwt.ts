import { z } from 'zod';
import type { Runs } from './charset.js';
import { base64Text } from './decode.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';
import type { JwtClaims } from './types.js';
import { DOT, isBoundary } from './units.js';

const HEADER_MOST = 2048;
/** `{"alg":"none"}`, the shortest there is, takes twenty characters. */
const HEADER_LEAST = 18;
const PART_MOST = 16_384;
const LEAST_PAYLOAD = 8;

const HeaderSchema = z.object({ alg: z.string() });
const ClaimsSchema = z.object({
  iss: z.string().optional().catch(undefined),
  aud: z
    .union([z.string(), z.array(z.string()).transform((all) => all.join(' '))])
    .optional()
    .catch(undefined),
  sub: z.string().optional().catch(undefined),
  exp: z.number().optional().catch(undefined),
});

/**
 * Reports a JSON Web Token (RFC 7519) in its compact form: three parts, or the five of an encrypted one (RFC 7516).
 * Returns where it ends, or `start`.
 */
export function matchJwt(rules: RuleSet, text: string, start: number, runs: Runs, report: Report): number {
  const rule = rules.byId.get('jwt');
  if (!rule || !isBoundary(text, start)) return start;
  const header = part(text, start, HEADER_MOST, runs);
  if (header === undefined || header - start < HEADER_LEAST || text.charCodeAt(header) !== DOT) return start;
  const payload = part(text, header + 1, PART_MOST, runs);
  if (payload === undefined || payload - header < LEAST_PAYLOAD) return start;
  if (!HeaderSchema.safeParse(parsed(text.slice(start, header))).success) return start;
  const cut = payload === text.length;
  if (!cut && text.charCodeAt(payload) !== DOT) return start;
  const claims = ClaimsSchema.safeParse(parsed(text.slice(header + 1, payload)));
  let end = cut ? payload : (part(text, payload + 1, PART_MOST, runs) ?? payload);
  for (let more = 0; more < 2 && !claims.success && text.charCodeAt(end) === DOT; more += 1)
    end = part(text, end + 1, PART_MOST, runs) ?? end;
  const value = text.slice(start, end);
  const example = rules.suppression.isExample(value);
  report({
    rule,
    source: 'format',
    confidence: example ? 'none' : cut ? 'low' : rule.confidence,
    start,
    end,
    value,
    ...(cut ? { truncated: true } : {}),
    ...(claims.success ? { jwt: present(claims.data) } : {}),
  });
  return end;
}

function part(text: string, from: number, most: number, runs: Runs): number | undefined {
  const end = runs('base64url', from);
  return end - from > most ? undefined : Math.min(end, text.length);
}

function parsed(encoded: string): unknown {
  const text = base64Text(encoded);
  if (text === undefined || !text.endsWith('}')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // begins like a token, and is none
  }
}

function present(claims: z.infer<typeof ClaimsSchema>): JwtClaims {
  const { iss, aud, sub, exp } = claims;
  return {
    ...(iss === undefined ? {} : { iss }),
    ...(aud === undefined ? {} : { aud }),
    ...(sub === undefined ? {} : { sub }),
    ...(exp === undefined ? {} : { exp }),
  };
}
