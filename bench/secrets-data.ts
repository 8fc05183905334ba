/** Labelled data for the secret engine: kinds of secrets, places they occur in, and values that look like secrets and are none. */
import { characters, pick, type Random, random } from '../test/secrets/generate.js';

export interface Kind {
  readonly id: string;
  /** Names the value is found beside; the token formats need none. */
  readonly names: readonly string[];
  readonly make: (next: Random) => string;
  /** A format that proves itself: it is also found in prose. */
  readonly bare: boolean;
}

const c = characters;
const token = (id: string, make: (next: Random) => string, names = ['TOKEN', 'api_token', 'accessToken']): Kind => ({
  id,
  names,
  make,
  bare: true,
});
const keyed = (id: string, names: string[], make: (next: Random) => string): Kind => ({ id, names, make, bare: false });

const WORDS = ['river', 'Summer', 'dragon', 'Falcon', 'winter', 'Monday', 'purple', 'Harbor', 'tiger', 'Garden'];

/** What people choose: words with numbers and signs. */
function chosen(next: Random): string {
  return `${pick(next, WORDS)}${pick(next, ['-', '_', '!', '.'])}${pick(next, WORDS)}${c(next, 'digits', 2)}${pick(next, ['!', '#', '?'])}`;
}

const jwt = (next: Random) =>
  [
    Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
    Buffer.from(JSON.stringify({ iss: 'auth.acme.dev', sub: c(next, 'digits', 6), exp: 1790000000 })).toString('base64url'),
    c(next, 'base64url', 43),
  ].join('.');

export const KINDS: readonly Kind[] = [
  token('aws-id', (n) => `AK${'IA'}${c(n, 'base32', 16)}`, ['AWS_ACCESS_KEY_ID', 'aws_access_key_id']),
  keyed('aws-secret', ['AWS_SECRET_ACCESS_KEY', 'aws_secret_access_key', 'SecretAccessKey'], (n) => c(n, 'base64', 40)),
  token('aws-session', (n) => `IQoJb3JpZ2lu${c(n, 'base64', 320)}`, ['AWS_SESSION_TOKEN', 'SessionToken']),
  token('sso-access', (n) => `aoa${'AAAAA'}${c(n, 'base64url', 150)}:${c(n, 'base64', 90)}`, ['accessToken', 'access_token']),
  token('kiro', (n) => `ks${'k_'}${c(n, 'base62', 40)}1`, ['KIRO_API_KEY']),
  token('github', (n) => `gh${pick(n, ['p', 'o', 's'])}_${c(n, 'base62', 36)}`, ['GITHUB_TOKEN', 'GH_TOKEN']),
  token('github-fine', (n) => `github_${'pat_'}${c(n, 'base62', 22)}_${c(n, 'base62', 59)}`, ['GITHUB_TOKEN']),
  token('gitlab', (n) => `gl${'pat-'}${c(n, 'base64url', 19)}1`, ['GITLAB_TOKEN', 'PRIVATE-TOKEN']),
  token('slack-bot', (n) => `xo${'xb-'}${c(n, 'digits', 12)}-${c(n, 'digits', 12)}-${c(n, 'base62', 24)}`, ['SLACK_BOT_TOKEN']),
  token('slack-hook', (n) => `https://hooks.slack.com/services/T${c(n, 'upper', 9)}/B${c(n, 'upper', 9)}/${c(n, 'base62', 24)}`, [
    'SLACK_WEBHOOK',
  ]),
  token('stripe', (n) => `sk_${'live_'}${c(n, 'base62', 24)}`, ['STRIPE_KEY', 'stripeSecret']),
  token('openai', (n) => `sk-${'proj-'}${c(n, 'base62', 74)}T3Blbk${'FJ'}${c(n, 'base62', 74)}`, ['OPENAI_API_KEY']),
  token('anthropic', (n) => `sk-${'ant-'}api03-${c(n, 'base64url', 93)}AA`, ['ANTHROPIC_API_KEY']),
  token('google', (n) => `AI${'za'}${c(n, 'base64url', 35)}`, ['GOOGLE_API_KEY', 'apiKey']),
  token('npm', (n) => `np${'m_'}${c(n, 'base62', 36)}`, ['NPM_TOKEN', '_authToken']),
  token('pypi', (n) => `py${'pi-'}AgEIcHlwaS5vcmc${c(n, 'base64url', 130)}`, ['PYPI_TOKEN']),
  token('huggingface', (n) => `h${'f_'}${c(n, 'base62', 34)}`, ['HF_TOKEN']),
  token('sendgrid', (n) => `S${'G.'}${c(n, 'base62', 22)}.${c(n, 'base62', 43)}`, ['SENDGRID_API_KEY']),
  token('twilio', (n) => `S${'K'}${c(n, 'hex', 32)}`, ['TWILIO_API_KEY']),
  keyed('twilio-auth', ['TWILIO_AUTH_TOKEN', 'twilio_auth_token'], (n) => c(n, 'hex', 32)),
  keyed('datadog', ['DD_API_KEY', 'datadog_api_key'], (n) => c(n, 'hex', 32)),
  token('digitalocean', (n) => `dop_${'v1_'}${c(n, 'hex', 64)}`, ['DO_TOKEN']),
  token('vault', (n) => `hv${'s.'}${c(n, 'base62', 94)}1`, ['VAULT_TOKEN']),
  token('databricks', (n) => `da${'pi'}${c(n, 'hex', 32)}`, ['DATABRICKS_TOKEN']),
  token('doppler', (n) => `dp.${'pt.'}${c(n, 'base62', 43)}`, ['DOPPLER_TOKEN']),
  token('grafana', (n) => `gl${'sa_'}${c(n, 'base62', 32)}_${c(n, 'hex', 8)}`, ['GRAFANA_TOKEN']),
  token('linear', (n) => `lin_${'api_'}${c(n, 'base62', 40)}`, ['LINEAR_API_KEY']),
  token('notion', (n) => `nt${'n_'}${c(n, 'base62', 46)}`, ['NOTION_TOKEN']),
  token('shopify', (n) => `shp${'at_'}${c(n, 'hex', 32)}`, ['SHOPIFY_TOKEN']),
  token('telegram', (n) => `${c(n, 'digits', 10)}:${'AA'}${c(n, 'base62', 33)}`, ['TELEGRAM_BOT_TOKEN']),
  token('docker', (n) => `dckr_${'pat_'}${c(n, 'base64url', 27)}`, ['DOCKER_TOKEN']),
  token('groq', (n) => `gs${'k_'}${c(n, 'base62', 52)}`, ['GROQ_API_KEY']),
  token('azure-entra', (n) => `${c(n, 'base62', 3)}8${'Q~'}${c(n, 'base62', 34)}`, ['AZURE_CLIENT_SECRET']),
  keyed('azure-storage', ['AZURE_STORAGE_KEY', 'account_key', 'AccountKey'], (n) => `${c(n, 'base64', 86)}==`),
  keyed('cloudflare', ['CLOUDFLARE_API_TOKEN', 'cloudflare_api_token'], (n) => c(n, 'base64url', 40)),
  token('jwt', jwt, ['ACCESS_TOKEN', 'id_token', 'jwt']),
  token('url-postgres', (n) => `postgres://app:${c(n, 'base62', 16)}7@db.acme.dev:5432/app`, ['DATABASE_URL']),
  token('url-redis', (n) => `redis://:${c(n, 'base62', 20)}3@cache:6379/0`, ['REDIS_URL']),
  keyed('password-chosen', ['DB_PASSWORD', 'db_password', 'password', 'dbPassword'], chosen),
  keyed('password-random', ['POSTGRES_PASSWORD', 'password', 'adminPassword'], (n) => `${c(n, 'symbols', 13)}a7B`),
  keyed('passphrase', ['KEY_PASSPHRASE', 'passphrase'], (n) => `${chosen(n)}${c(n, 'base62', 4)}`),
  keyed('client-secret', ['CLIENT_SECRET', 'client_secret', 'clientSecret'], (n) => c(n, 'base64url', 40)),
  keyed('api-key', ['API_KEY', 'api_key', 'apiKey'], (n) => c(n, 'base62', 32)),
  keyed('api-key-hex', ['WEATHER_API_KEY', 'api-key', 'weatherApiKey'], (n) => c(n, 'hex', 40)),
  keyed('refresh-token', ['REFRESH_TOKEN', 'refresh_token', 'refreshToken'], (n) => c(n, 'base64url', 64)),
  keyed('signing-key', ['JWT_SIGNING_KEY', 'signing_key', 'signingKey'], (n) => c(n, 'base64', 43) + '='),
  keyed('secret-key', ['SECRET_KEY', 'secret_key', 'secretKey'], (n) => c(n, 'base62', 50)),
  keyed('encryption-key', ['ENCRYPTION_KEY', 'encryptionKey'], (n) => c(n, 'hex', 64)),
  keyed('session-secret', ['SESSION_SECRET', 'session_secret'], (n) => c(n, 'base62', 24)),
  keyed('webhook-secret', ['WEBHOOK_SECRET', 'webhookSecret'], (n) => c(n, 'hex', 40)),
  keyed('private-token', ['PRIVATE_TOKEN', 'private_token'], (n) => c(n, 'base64url', 20)),
  keyed('auth-token', ['AUTH_TOKEN', 'authToken', 'auth_token'], (n) => c(n, 'lower', 32)),
];

export interface Place {
  readonly id: string;
  readonly write: (name: string, value: string) => string;
  /** The value as it is written there. */
  readonly written?: (value: string) => string;
  /** Only for formats that prove themselves, or names that are written so. */
  readonly fits?: (kind: Kind, name: string) => boolean;
}

const upper = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
const flag = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

export const PLACES: readonly Place[] = [
  { id: 'dotenv', write: (n, v) => `# local settings\nPORT=8080\n${upper(n)}=${v}\nDEBUG=true\n` },
  { id: 'shell', write: (n, v) => `export ${upper(n)}='${v}' && ./deploy.sh --stage prod` },
  { id: 'yaml', write: (n, v) => `service:\n  port: 8080\n  ${n}: ${v}\n  retries: 3\n` },
  { id: 'json', write: (n, v) => JSON.stringify({ host: 'db.acme.dev', [n]: v, port: 5432 }, null, 2) },
  {
    id: 'json-in-json',
    write: (n, v) => JSON.stringify({ exit_status: '0', stdout: JSON.stringify({ region: 'eu-west-1', [n]: v, port: 5432 }), stderr: '' }),
  },
  { id: 'prose', write: (_, v) => `Please use ${v} when you call the service, it is still valid.`, fits: (kind) => kind.bare },
  {
    id: 'header',
    write: (_, v) => `GET /v1/items HTTP/1.1\r\nHost: api.acme.dev\r\nAuthorization: Bearer ${v}\r\n\r\n`,
    fits: (kind) => !/^(url|slack-hook|password|passphrase)/.test(kind.id),
  },
  { id: 'code', write: (n, v) => `const client = new Client({\n  ${n.replaceAll('-', '_')}: "${v}",\n  timeout: 30,\n});\n` },
  { id: 'flag', write: (n, v) => `deploy --region eu --${flag(n)} ${v} --yes`, fits: (kind) => !kind.id.startsWith('url') },
  {
    id: 'pairs',
    write: (n, v) =>
      JSON.stringify({
        env: [
          { name: upper(n), value: v },
          { name: 'LANG', value: 'C' },
        ],
      }),
  },
];

export interface Sample {
  readonly text: string;
  /** Undefined: nothing is to be found. */
  readonly value?: string;
  readonly kind: string;
  readonly place: string;
}

/** Every kind in every place it fits. Even seeds are for tuning, odd ones for thresholds; the two never share a value. */
export function samples(seed: number, rounds: number, kinds: readonly Kind[] = KINDS): Sample[] {
  const next = random(seed);
  return Array.from({ length: rounds }).flatMap(() =>
    kinds.flatMap((kind) =>
      PLACES.flatMap((place) => {
        const name = pick(next, kind.names);
        const value = kind.make(next);
        return place.fits && !place.fits(kind, name) ? [] : [{ text: place.write(name, value), value, kind: kind.id, place: place.id }];
      }),
    ),
  );
}
