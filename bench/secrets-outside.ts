/**
 * Kinds and places of secrets as other people describe them (bench/secrets-outside.yaml says how they were gathered), so that recall
 * is not only measured on what the author of the rules thought of.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { characters, pick, type Random, random } from '../test/secrets/generate.js';
import { PLACES, type Place, type Sample } from './secrets-data.js';

const Entry = z.tuple([z.string(), z.string(), z.array(z.string()).min(1), z.string()]);
const Document = z.object({ kinds: z.array(Entry), later: z.array(Entry) });

interface OutsideKind {
  readonly id: string;
  readonly names: readonly string[];
  readonly shape: string;
  /** It proves itself by its shape, and is looked for where no name stands beside it. */
  readonly bare: boolean;
}

const { kinds, later } = Document.parse(parse(readFileSync(new URL('./secrets-outside.yaml', import.meta.url), 'utf8')));
const kindOf = ([id, source, names, shape]: z.infer<typeof Entry>): OutsideKind => ({ id, names, shape, bare: source.endsWith(' bare') });

/** Kinds that rules were tuned on, kinds that were kept aside until their formats became rules, and kinds that no rule was made for. */
export const OUTSIDE_TUNED = kinds.filter((_, i) => i % 2 === 0).map(kindOf);
export const OUTSIDE_KEPT = kinds.filter((_, i) => i % 2 === 1).map(kindOf);
export const OUTSIDE_UNKNOWN = later.map(kindOf);

const uuid = (next: Random) => [8, 4, 4, 4, 12].map((size) => characters(next, 'hex', size)).join('-');

/** The whole text of a shape, and the part of it that is the secret. */
function make(next: Random, shape: string): { readonly whole: string; readonly secret: string } {
  const filled = shape.replace(/<(?:(uuid)|(UUID)|(\d+)(?:-(\d+))? (\w+))>/g, (_, small, large, least, most, alphabet) => {
    if (small !== undefined) return uuid(next);
    if (large !== undefined) return uuid(next).toUpperCase();
    const [from, to] = [Number(least), Number(most ?? least)];
    return characters(next, String(alphabet), from + Math.floor(next() * (to - from + 1)));
  });
  const whole = filled.replace(/[[\]]/g, '');
  return { whole, secret: /\[([^\]]*)\]/.exec(filled)?.[1] ?? whole };
}

const words = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('.', '_');
const upper = (name: string) => words(name).toUpperCase();
const lower = (name: string) => words(name).toLowerCase();
const camel = (name: string) => lower(name).replace(/_+([a-z0-9])/g, (_, first: string) => first.toUpperCase());
const dashed = (name: string) => lower(name).replaceAll('_', '-');

/** How the tests of gitleaks and detect-secrets write a name and its value, and what is common in terminals and chats. */
export const OUTSIDE_PLACES: readonly Place[] = [
  { id: 'ini-tight', write: (n, v) => `${camel(n)}="${v}"` },
  { id: 'ini-quoted', write: (n, v) => `[client]\n${camel(n)} = "${v}"\n` },
  { id: 'ini-plain', write: (n, v) => `[client]\n${lower(n)} = ${v}\n` },
  { id: 'json-lines', write: (n, v) => `{\n    "${lower(n)}": "${v}"\n}` },
  { id: 'json-escaped', write: (n, v) => `payload \\{\\n    \\"${lower(n)}\\": \\"${v}\\"\\n\\}` },
  { id: 'xml-element', write: (n, v) => `<${camel(n)}>${v}</${camel(n)}>` },
  { id: 'xml-lines', write: (n, v) => `<${camel(n)}>\n    ${v}\n</${camel(n)}>` },
  { id: 'xml-attributes', write: (n, v) => `<add key="${camel(n)}" value="${v}" />` },
  { id: 'yaml-single', write: (n, v) => `${lower(n)}: '${v}'` },
  { id: 'yaml-literal', write: (n, v) => `${lower(n)}: |\n  ${v}\nport: 80\n` },
  { id: 'yaml-folded', write: (n, v) => `${lower(n)}: >\n  ${v}\nport: 80\n` },
  { id: 'c-sharp', write: (n, v) => `string ${camel(n)} = "${v}";` },
  { id: 'go-typed', write: (n, v) => `var ${camel(n)} string = "${v}"` },
  { id: 'go-short', write: (n, v) => `\t${camel(n)} := "${v}"` },
  { id: 'go-backticks', write: (n, v) => `\t${camel(n)} := \`${v}\`` },
  { id: 'kotlin-typed', write: (n, v) => `var ${camel(n)}: String = "${v}"` },
  { id: 'php-append', write: (n, v) => `$${camel(n)} .= "${v}";` },
  { id: 'php-default', write: (n, v) => `$${camel(n)} ??= "${v}";` },
  { id: 'python', write: (n, v) => `${lower(n)} = '${v}'` },
  { id: 'python-dict', write: (n, v) => `settings["${lower(n)}"] = "${v}"` },
  { id: 'objective-c', write: (n, v) => `NSString *${camel(n)} = @"${v}";` },
  { id: 'array-append', write: (n, v) => `${lower(n)}[] = "${v}"` },
  { id: 'directive', write: (n, v) => `    ${lower(n)} "${v}";` },
  { id: 'csv', write: (n, v) => `${camel(n)},${v},` },
  { id: 'logstash', write: (n, v) => `  "${camel(n)}" => "${v}"` },
  { id: 'make-simple', write: (n, v) => `${upper(n)} ::= "${v}"` },
  { id: 'make-default', write: (n, v) => `${upper(n)} ?= "${v}"` },
  { id: 'make-append', write: (n, v) => `${upper(n)} += "${v}"` },
  { id: 'container', write: (n, v) => `docker run --rm -e ${upper(n)}=${v} -p 80:80 acme/app` },
  { id: 'compose-list', write: (n, v) => `    environment:\n      - ${upper(n)}=${v}\n      - LANG=C\n` },
  { id: 'prefix', write: (n, v) => `${upper(n)}=${v} node server.js` },
  { id: 'patch', write: (n, v) => `@@ -3 +3 @@\n-${upper(n)}=\n+${upper(n)}=${v}\n` },
  { id: 'markdown', write: (n, v) => `Set \`${upper(n)}\` to \`${v}\` and start again.`, fits: (kind) => kind.bare },
  {
    id: 'query',
    write: (n, v) => `GET /v1/items?limit=5&${lower(n)}=${encodeURIComponent(v)}&page=2`,
    fits: (kind) => !kind.id.includes('url'),
  },
  {
    id: 'own-header',
    write: (n, v) => `curl -s -H "X-${dashed(n)}: ${v}" https://api.acme.dev/v1`,
    fits: (kind) => !kind.id.includes('url'),
  },
  { id: 'colours', write: (n, v) => `\u001b[36m${upper(n)}\u001b[0m=\u001b[33m${v}\u001b[0m` },
];

/** Whole texts do not stand behind a scheme in a header. */
const isLine = (whole: string) => /:\/\/|;/.test(whole);

/** Every kind in every place it fits. */
export function outsideSamples(seed: number, kinds: readonly OutsideKind[], places: readonly Place[] = PLACES): Sample[] {
  const next = random(seed);
  return kinds.flatMap((kind) =>
    places.flatMap((place) => {
      const name = pick(next, kind.names);
      const { whole, secret } = make(next, kind.shape);
      const about = { id: isLine(whole) ? `url-${kind.id}` : kind.id, names: kind.names, bare: kind.bare, make: () => whole };
      if (place.fits && !place.fits(about, name)) return [];
      const text = place.write(name, whole);
      return [{ text, value: place.id === 'query' ? encodeURIComponent(secret) : secret, kind: kind.id, place: place.id }];
    }),
  );
}
