import fc from 'fast-check';
import { print, slotsOf, type Tree, treeOf } from './json-tree.js';

/** One change. Numbers are taken modulo what there is, so that every plan fits every file and a smaller plan is a simpler one. */
export interface Edit {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly to: number;
  /** JSON, or what pretends to be. */
  readonly value: string;
}

const JSON_KINDS = ['set', 'drop', 'swap', 'nest', 'repeat', 'rename', 'proto', 'foreign'] as const;
const LINE_KINDS = ['line-swap', 'line-drop', 'line-repeat', 'line-join', 'line-ends', 'line-insert', 'digits'] as const;
const BYTE_KINDS = ['flip', 'byte', 'truncate', 'cut', 'copy', 'zeros', 'splice', 'bom', 'utf16'] as const;
const KINDS = [...JSON_KINDS, ...LINE_KINDS, ...BYTE_KINDS] as const;

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Values a writer never meant: other types, edges of numbers and times, names that mean something to JavaScript, SQL, CSV, HTML and terminals. */
const VALUES = [
  ...['null', 'true', '0', '-0', '-1', '1e308', '1e999', '9007199254740993', '-62135596800001', '8640000000000001', '253402300800000'],
  ...['""', '"x"', '[]', '{}', '[[]]', '[null]', '{"":""}', '"\\ud800"', '"\\u0000"', '"\\u2028\\u202e"', '"\\u001b]0;x\\u0007"'],
  ...['"2025-13-45T99:99:99Z"', '"9999-12-31T23:59:59.999999999+23:59"', '"-000001-01-01T00:00:00Z"', '"+275760-09-13T00:00:00.001Z"'],
  ...[
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"length":4294967295}',
    '{"toString":1,"toJSON":2}',
  ],
  ...[
    '"=cmd|\' /C calc\'!A0"',
    '"</script><img src=x onerror=alert(1)>"',
    '"../../../../etc/passwd"',
    '"C:\\\\..\\\\x"',
    '"\\\\\\\\?\\\\x"',
  ],
  ...['nul', '"open', '{"a":', '[1,]', "{'a':1}", '\u0000', 'NaN', '"\t"'],
  deep('[', ']', 300),
  deep('{"a":', '}', 300).replace('}', '1}'),
  deep('[', ']', 20_000),
  '['.repeat(20_000),
  `"${'A'.repeat(100_000)}"`,
  `"${'\\\\"'.repeat(5_000)}"`,
  `[${'{},'.repeat(3_000)}{}]`,
  `{${Array.from({ length: 2_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
] as const;

const place = fc.noBias(fc.nat({ max: 0x7fffffff }));
const value = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...VALUES) }, { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) });

const editOf = (kinds: readonly Edit['kind'][]): fc.Arbitrary<Edit> =>
  fc.record({ kind: fc.constantFrom(...kinds), at: place, to: place, value });

/** Plans that keep the structure and put something wrong into it. */
export const structured = fc.array(editOf([...JSON_KINDS, ...JSON_KINDS, ...LINE_KINDS]), { minLength: 1, maxLength: 4 });
/** Plans that know nothing of the structure. */
export const damaging = fc.array(editOf([...BYTE_KINDS, 'line-swap', 'line-drop']), { minLength: 1, maxLength: 3 });

/** The bytes of a file after a plan; `other` is a second file to take pieces from. */
export function edited(bytes: Buffer, plan: readonly Edit[], other: Buffer): Buffer {
  return plan.reduce((now, edit) => apply(now, edit, other), bytes);
}

function apply(bytes: Buffer, edit: Edit, other: Buffer): Buffer {
  if (isOneOf(BYTE_KINDS, edit.kind)) return editBytes(bytes, edit, other);
  const text = bytes.toString('utf8');
  if (isOneOf(LINE_KINDS, edit.kind)) return Buffer.from(editLines(text, edit, other.toString('utf8')));
  return Buffer.from(editJson(text, edit, other.toString('utf8')));
}

const isOneOf = (kinds: readonly string[], kind: string) => kinds.includes(kind);

/** Changes a document, or one line of many, or else the value behind a colon or an equals sign. */
export function editJson(text: string, edit: Edit, other: string): string {
  const whole = treeOf(text);
  if (whole !== undefined) return print(editTree(whole, edit, other));
  const lines = text.split('\n');
  const places = lines.flatMap((line, i) => (/^\s*[[{]/.test(line) ? [i] : []));
  const at = pick(places, edit.at);
  const tree = at === undefined ? undefined : treeOf(lines[at] ?? '');
  if (at === undefined || tree === undefined) return editScalar(lines, edit);
  lines[at] = print(editTree(tree, { ...edit, at: edit.at >>> 8 }, other));
  return lines.join('\n');
}

function editTree(tree: Tree, edit: Edit, other: string): Tree {
  const slots = slotsOf(tree);
  const slot = pick(slots, edit.at);
  if (slot === undefined) return { raw: edit.value };
  const given: Tree = { raw: edit.value };
  if (edit.kind === 'set') slot.set(given);
  else if (edit.kind === 'drop') slot.drop();
  else if (edit.kind === 'rename') slot.rename(NAMES[edit.to % NAMES.length] ?? '');
  else if (edit.kind === 'proto') slot.add(given, '__proto__');
  else if (edit.kind === 'repeat') slot.add(edit.to % 2 === 0 ? slot.tree : given);
  else if (edit.kind === 'nest')
    slot.set(edit.to % 2 === 0 ? { items: [slot.tree] } : { members: [[NAMES[edit.to % NAMES.length] ?? '', slot.tree]] });
  else {
    const source = edit.kind === 'foreign' ? treeOf(firstJson(other)) : tree;
    const taken = source === undefined ? undefined : pick(slotsOf(source), edit.to);
    // Printed at once: a piece put into itself would never end.
    if (taken !== undefined) slot.set({ raw: print(taken.tree) });
  }
  return tree;
}

const firstJson = (text: string) => (treeOf(text) === undefined ? (text.split('\n').find((line) => /^\s*[[{]/.test(line)) ?? '') : text);

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'length',
  'text',
  'content',
  'type',
  'role',
  'id',
  'timestamp',
  '\u0000',
  'a/b~c',
];

function editScalar(lines: string[], edit: Edit): string {
  const at = edit.at % Math.max(1, lines.length);
  const line = lines[at] ?? '';
  const colon = line.search(/[:=]\s/);
  lines[at] = colon < 0 ? edit.value : `${line.slice(0, colon + 2)}${edit.value}`;
  return lines.join('\n');
}

function editLines(text: string, { kind, at, to, value }: Edit, other: string): string {
  if (kind === 'line-ends') return text.replaceAll('\n', ['\r\n', '\r', '\u2028', '\n\n', ''][to % 5] ?? '');
  if (kind === 'digits') return withDigits(text, at, value);
  const lines = text.split('\n');
  const i = at % lines.length;
  const j = to % lines.length;
  const line = lines[i] ?? '';
  if (kind === 'line-drop') lines.splice(i, 1 + (to % 3));
  else if (kind === 'line-repeat') lines.splice(j, 0, line);
  else if (kind === 'line-join') lines.splice(i, 2, line + (lines[i + 1] ?? ''));
  else if (kind === 'line-insert') lines.splice(i, 0, to % 2 === 0 ? value : (pick(other.split('\n'), to) ?? ''));
  else [lines[i], lines[j]] = [lines[j] ?? '', line];
  return lines.join('\n');
}

/** One run of digits becomes a value from the list, without its quotes. */
function withDigits(text: string, at: number, value: string): string {
  const found = pick([...text.slice(0, 200_000).matchAll(/\d+/g)], at);
  if (found === undefined) return text + value;
  return text.slice(0, found.index) + value.replaceAll('"', '') + text.slice(found.index + found[0].length);
}

function editBytes(bytes: Buffer, { kind, at, to, value }: Edit, other: Buffer): Buffer {
  const i = at % (bytes.length + 1);
  const length = 1 + (to % Math.max(1, Math.min(4096, bytes.length)));
  const [before, after] = [bytes.subarray(0, i), bytes.subarray(i)];
  if (kind === 'truncate') return before;
  if (kind === 'cut') return Buffer.concat([before, after.subarray(length)]);
  if (kind === 'copy') return Buffer.concat([before, bytes.subarray(to % (bytes.length + 1)).subarray(0, length), after]);
  if (kind === 'splice') return Buffer.concat([before, other.subarray(to % (other.length + 1)).subarray(0, 4096), after]);
  if (kind === 'bom')
    return Buffer.concat([
      Buffer.from(
        [
          [0xef, 0xbb, 0xbf],
          [0xff, 0xfe],
          [0xfe, 0xff],
        ][to % 3] ?? [],
      ),
      bytes,
    ]);
  if (kind === 'utf16') return Buffer.from(bytes.toString('utf8'), 'utf16le');
  const changed = Buffer.from(bytes);
  if (kind === 'zeros') changed.fill(0, i, Math.min(i + length, changed.length));
  else if (i < changed.length) changed[i] = kind === 'flip' ? (changed[i] ?? 0) ^ (1 << (to % 8)) : value.charCodeAt(0) & 0xff;
  return changed;
}

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
