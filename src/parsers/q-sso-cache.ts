/**
 * `~/.aws/sso/cache/*.json`: OAuth tokens and client registrations of the agent's MCP servers (`<key>.token.json`,
 * `<key>.registration.json`), of the AWS CLI and of Kiro (`kiro-auth-token.json`).
 *
 * Proves: a sign-in, its kind, region and expiry, and the file time of the last refresh. Its values are credentials: none is
 * written; each is marked, so that its occurrence in a transcript can be told by its fingerprint and is masked.
 *
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/mcp_client/oauth_util.rs (1.19.7). Evidence level L1.
 */
import { isObject, parseJson } from '../evidence/json.js';
import { errorDraft } from '../rows/problem.js';
import type { FileParser } from './parser.js';
import { withheldValues } from './q-withheld.js';

/** Fields that say what the credential is for and are none themselves. */
const TOLD = [
  'expiresAt',
  'expires_at',
  'region',
  'startUrl',
  'start_url',
  'provider',
  'authMethod',
  'registrationExpiresAt',
  'token_type',
  'scope',
];

export const qSsoCache: FileParser = {
  id: 'q-sso-cache',
  container: 'file',

  *parse(source) {
    const bytes = source.bytes();
    const parsed = parseJson(bytes);
    if (!parsed.ok || !isObject(parsed.value)) {
      yield errorDraft(parsed.ok ? 'token file is not a JSON object' : `token file: ${parsed.problem}`);
      return;
    }
    const stored = parsed.value;
    const told = TOLD.filter((key) => typeof stored[key] === 'string' && stored[key] !== '');
    yield {
      row_type: 'config',
      text: `credential stored: file bytes=${bytes.length} fields=${Object.keys(stored).sort().join(',')}`,
      time: source.artifact.mtime,
      details: Object.fromEntries(told.map((key) => [key, stored[key]])),
      withheld: withheldValues(bytes.toString('utf8'), 'aws-sso-cache'),
    };
  },
};
