import { allOf, anyOf, type Test } from './condition.js';
import { base64Offsets, bytesOf } from './encode.js';
import { FILE_FIELDS, type Field, PROCESS_FIELDS, type SigmaEvent, valuesOf } from './events.js';
import { compilePattern, type Pattern, plainText, readPattern, type TextTest, withAnyDash, withOpenEnds } from './pattern.js';
import { refuse } from './refuse.js';
import { compileRegex } from './regex.js';

export type Category = 'process_creation' | 'file_event';
type EventTest = Test<SigmaEvent>;

const MODIFIERS = new Set([
  'contains',
  'startswith',
  'endswith',
  'all',
  're',
  'i',
  'm',
  's',
  'cased',
  'windash',
  'exists',
  'base64',
  'base64offset',
  'wide',
]);

/** One search identifier: a map (all of its keys), or a list of maps and keywords (one of them). */
export function compileIdentifier(value: unknown, category: Category): EventTest {
  if (Array.isArray(value)) {
    if (value.length === 0) refuse('an empty list of searches');
    return anyOf(value.map((part: unknown) => (isMap(part) ? compileMap(part, category) : compileItem('', part, category))));
  }
  return isMap(value) ? compileMap(value, category) : compileItem('', value, category);
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function compileMap(map: Record<string, unknown>, category: Category): EventTest {
  const items = Object.entries(map);
  if (items.length === 0) refuse('an empty search');
  return allOf(items.map(([key, value]) => compileItem(key, value, category)));
}

/** `Field|modifier|...: value or values`. Without a field: keywords. */
function compileItem(key: string, value: unknown, category: Category): EventTest {
  const [name = '', ...modifiers] = key.split('|');
  const has = new Set(modifiers);
  checkModifiers(key, modifiers, has);
  const field = fieldOf(name, category);
  if (has.has('exists')) return existence(key, value, field, has);
  if (name === '' && !has.has('re')) has.add('contains');
  const values = listOf(key, value);
  if (has.has('all') && values.includes(null)) refuse(`\`${key}\` asks for all of a list with an empty value`);
  const tests = values.map((one) => valueTest(key, one, has, field));
  return has.has('all') ? allOf(tests) : anyOf(tests);
}

function checkModifiers(key: string, modifiers: readonly string[], has: ReadonlySet<string>): void {
  const unknown = modifiers.find((modifier) => !MODIFIERS.has(modifier));
  if (unknown !== undefined) refuse(`the modifier \`${unknown}\` of \`${key}\` is not known here`);
  const places = ['contains', 'startswith', 'endswith', 're', 'exists'].filter((modifier) => has.has(modifier));
  if (places.length > 1) refuse(`\`${key}\` has \`${places.join('` and `')}\`, which do not go together`);
  const encoding = ['base64', 'base64offset', 'wide', 'windash'].find((modifier) => has.has(modifier));
  if (has.has('re') && (encoding !== undefined || has.has('cased'))) refuse(`\`${key}\` has \`re\` with a modifier for plain text`);
  if (!has.has('re') && ['i', 'm', 's'].some((flag) => has.has(flag)))
    refuse(`\`${key}\` has a flag of a regular expression without \`re\``);
  if (has.has('base64') && has.has('base64offset')) refuse(`\`${key}\` has \`base64\` twice`);
  if (has.has('wide')) {
    const later = modifiers.slice(modifiers.indexOf('wide') + 1);
    if (!later.includes('base64') && !later.includes('base64offset')) refuse(`\`${key}\` has \`wide\` without \`base64\` behind it`);
  }
}

function fieldOf(name: string, category: Category): Field {
  const fields = category === 'process_creation' ? PROCESS_FIELDS : FILE_FIELDS;
  if (name === '' && category === 'process_creation') return 'CommandLine';
  if (name === '') refuse('keywords, and there is no command line to look for them in');
  return fields.find((field) => field === name) ?? refuse(`the field \`${name}\` is not in a timeline (taken: ${fields.join(', ')})`);
}

function existence(key: string, value: unknown, field: Field, has: ReadonlySet<string>): EventTest {
  if (has.size > 1) refuse(`\`${key}\` has \`exists\` with another modifier`);
  if (typeof value !== 'boolean') refuse(`\`${key}\` asks for neither true nor false`);
  return (event) => valuesOf(event, field).length > 0 === value;
}

type Value = string | null;

function listOf(key: string, value: unknown): readonly Value[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) refuse(`\`${key}\` has an empty list`);
  return list.map((one) => {
    if (typeof one === 'string' || one === null) return one;
    if (typeof one === 'number' || typeof one === 'boolean') return String(one);
    return refuse(`\`${key}\` has a value that is no text`);
  });
}

function valueTest(key: string, value: Value, has: ReadonlySet<string>, field: Field): EventTest {
  // No value, or an empty one.
  if (value === null) return (event) => valuesOf(event, field).every((text) => text.raw === '');
  if (value === '' && (has.has('contains') || has.has('startswith') || has.has('endswith') || has.has('re')))
    refuse(`\`${key}\` looks for an empty text, which is everywhere`);
  if (has.has('re')) {
    const test = compileRegex(value, [...has].filter((modifier) => modifier.length === 1).join(''));
    return anyValue(field, (text) => test(text.raw));
  }
  const cased = has.has('cased') || has.has('base64') || has.has('base64offset');
  return anyOf(
    patternsOf(key, value, has).map((pattern) => anyValue(isNamed(pattern) ? anywhere(field) : field, compilePattern(pattern, cased))),
  );
}

const anywhere = (field: Field): Field => (field === 'Image' ? 'ImageAnywhere' : field === 'ParentImage' ? 'ParentImageAnywhere' : field);

const anyValue =
  (field: Field, test: TextTest): EventTest =>
  (event) =>
    valuesOf(event, field).some(test);

/**
 * A pattern that ends with the name of a program: the program may then lie in any folder of programs. One that asks for a
 * folder alone must not find it by guessing.
 */
const isNamed = (pattern: Pattern) => /[^/\\]$/.test(plainText(pattern.slice(-1)) ?? '');

function patternsOf(key: string, value: string, has: ReadonlySet<string>): readonly Pattern[] {
  const start = has.has('contains') || has.has('endswith');
  const end = has.has('contains') || has.has('startswith');
  return plainPatterns(key, value, has).map((pattern) => withOpenEnds(pattern, start, end));
}

function plainPatterns(key: string, value: string, has: ReadonlySet<string>): readonly Pattern[] {
  const pattern = readPattern(value);
  if (!has.has('base64') && !has.has('base64offset')) return [has.has('windash') ? withAnyDash(pattern) : pattern];
  if (has.has('windash')) refuse(`\`${key}\` has \`windash\` with \`base64\``);
  const text = plainText(pattern) ?? refuse(`\`${key}\` has a wildcard in a text to be encoded`);
  const bytes = bytesOf(text, has.has('wide'));
  if (has.has('base64')) return [[...bytes.toString('base64')]];
  if (bytes.length < 3) refuse(`\`${key}\` has a text too short to be found in Base64`);
  return base64Offsets(bytes).map((encoded) => [...encoded]);
}
