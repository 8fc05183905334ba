import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexJson, type JsonNode, member, nodeBytes, type Wanted } from '../../src/evidence/big-json.js';
import type { ByteSource } from '../../src/evidence/source.js';
import { windowReader } from '../../src/evidence/window.js';

const memory = (bytes: Buffer): ByteSource => ({ size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) });

/** Gives a few bytes at a time and overwrites what it gave before, as a window may. */
function narrow(bytes: Buffer, width: number): ByteSource {
  const window = Buffer.alloc(1 << 16);
  return {
    size: bytes.length,
    read(offset, length) {
      window.fill(0x22);
      const part = bytes.subarray(offset, offset + (length > 1 << 16 ? width : length));
      part.copy(window);
      return window.subarray(0, part.length);
    },
  };
}

const wanted: Wanted = { a: { '*': { b: true } }, '*': { '*': true }, '': {} };
const ALL: Wanted = { '*': { '*': { '*': { '*': true } } } };

function text(bytes: Buffer, node: JsonNode): string {
  return nodeBytes(memory(bytes), node).toString();
}

/** What the tree says, put together again; only what was not opened is parsed. */
function rebuild(bytes: Buffer, node: JsonNode): unknown {
  expect(node.complete).toBe(true);
  const value: unknown = JSON.parse(text(bytes, node));
  if (node.children === undefined) return value;
  if (node.kind === 'array') return node.children.map((child) => rebuild(bytes, child));
  return Object.fromEntries(node.children.map((child) => [child.key, rebuild(bytes, child)]));
}

function flat(bytes: Buffer, node: JsonNode | undefined, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (n: JsonNode, at: string) => {
    if (n.complete) found.set(`${at}@${n.start}`, `${n.kind} ${n.duplicate} ${text(bytes, n)}`);
    for (const child of n.children ?? []) walk(child, `${at}/${child.key}`);
  };
  if (node) walk(node, path);
  return found;
}

const json = fc.jsonValue({ maxDepth: 5 });
const spacing = fc.constantFrom(undefined, 2, '\t', '\r\n');

describe('indexJson', () => {
  test('finds the values that JSON.parse gives, compact and indented, in windows of any width', () => {
    fc.assert(
      fc.property(json, spacing, fc.constantFrom(wanted, ALL, {}), fc.integer({ min: 1, max: 9 }), (value, space, trie, width) => {
        const bytes = Buffer.from(JSON.stringify(value, null, space));
        const index = indexJson(memory(bytes), trie);
        expect(index.problem).toBeUndefined();
        expect(index.root && rebuild(bytes, index.root)).toEqual(JSON.parse(bytes.toString()));
        expect(indexJson(narrow(bytes, width), trie)).toEqual(index);
      }),
      { numRuns: 2000 },
    );
  });

  test('a cut document gives only values of the whole one', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(json), fc.dictionary(fc.string(), json)),
        spacing,
        fc.constantFrom(wanted, ALL, {}),
        fc.nat(),
        (value, space, trie, seed) => {
          const bytes = Buffer.from(JSON.stringify(value, null, space));
          const whole = flat(bytes, indexJson(memory(bytes), trie).root);
          const cut = bytes.subarray(0, seed % bytes.length);
          const index = indexJson(memory(cut), trie);
          expect(index.problem).toEqual({ what: cut.length === 0 ? 'empty JSON document' : 'unexpected end', offset: cut.length });
          for (const [place, found] of flat(cut, index.root)) expect(whole.get(place)).toBe(found);
          expect(indexJson(narrow(cut, 3), trie)).toEqual(index);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('any bytes are read to an end', () => {
    const soup = fc.array(fc.constantFrom(...Buffer.from('{}[]",:\\ 1tn\n\x00\xff', 'latin1')), { maxLength: 60 });
    fc.assert(
      fc.property(soup, (list) => {
        const bytes = Buffer.from(list);
        const index = indexJson(memory(bytes), ALL);
        expect(indexJson(narrow(bytes, 2), ALL)).toEqual(index);
        if (index.problem === undefined) expect(index.root?.complete).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('lists every member of an opened value and looks no further than asked', () => {
    const bytes = Buffer.from('\ufeff {"id":"x","history":[{"user":{"a":[1]},"assistant":{"b":2}},7],"tools":{"history":[1]}}\n');
    const { root, problem } = indexJson(memory(bytes), { history: { '*': { assistant: {} } } });
    expect(problem).toBeUndefined();
    expect(root?.children?.map((n) => n.key)).toEqual(['id', 'history', 'tools']);
    expect(member(root, 'tools')?.children).toBeUndefined();
    const [entry, seven] = member(root, 'history')?.children ?? [];
    expect(member(entry, 'user')?.children).toBeUndefined();
    expect(member(entry, 'assistant')?.children?.map((n) => text(bytes, n))).toEqual(['2']);
    expect(seven && text(bytes, seven)).toBe('7');
  });

  test('keeps a repeated key and says so', () => {
    const bytes = Buffer.from('{"history":[1],"history":[2],"__proto__":3,"\\u0068istory":4}');
    const { root } = indexJson(memory(bytes), { history: { '*': true } });
    expect(root?.children?.map((n) => [n.key, n.duplicate, text(bytes, n)])).toEqual([
      ['history', false, '[1]'],
      ['history', true, '[2]'],
      ['__proto__', false, '3'],
      ['history', true, '4'],
    ]);
    expect(root && member(root, 'history')?.start).toBe(bytes.lastIndexOf('4'));
  });

  test.each([
    ['{"a":1} x', 'further bytes behind the document', 8],
    ['{"a":1,}', 'unexpected byte 0x7d', 7],
    ['{"a" 1}', 'unexpected byte 0x31', 5],
    ['{"a":[1 2]}', 'unexpected byte 0x32', 8],
    ['{"a":@}', 'unexpected byte 0x40', 5],
    ['{"a":[1}', 'unexpected byte 0x7d', 7],
    ['  ', 'empty JSON document', 2],
    ['{"a":"b', 'unexpected end', 7],
  ])('%s', (document, what, offset) => {
    expect(indexJson(memory(Buffer.from(document)), { a: { '*': true } }).problem).toEqual({ what, offset });
  });

  test('depth costs nothing, inside and outside of strings', () => {
    const deep = `{"a":${'['.repeat(100_000)}"]"${']'.repeat(100_000)},"b":${'{"x":'.repeat(100_000)}1${'}'.repeat(100_000)}}`;
    expect(indexJson(memory(Buffer.from(deep)), ALL).root?.complete).toBe(true);
    const open = indexJson(memory(Buffer.from('['.repeat(100_000))), ALL);
    expect(open.problem).toEqual({ what: 'unexpected end', offset: 100_000 });
  });

  test('a backslash, a key and a number may lie across two windows', () => {
    const size = 4 << 20;
    for (const shift of [-3, -2, -1, 0, 1, 2]) {
      const bytes = Buffer.from(`{"a":"${'x'.repeat(size - 8 + shift)}\\\\\\"y","ke\\ty":123456,"z":"${'\\'.repeat(2 * size)}"}`);
      const { root, problem } = indexJson(
        windowReader((into, at) => into.subarray(0, bytes.copy(into, 0, at)), bytes.length),
        {},
      );
      expect(problem).toBeUndefined();
      expect(root?.children?.map((n) => n.key)).toEqual(['a', 'ke\ty', 'z']);
      expect(root?.children?.[1] && text(bytes, root.children[1])).toBe('123456');
    }
    const key = `${'k'.repeat(size - 5)}\\"ey`;
    const bytes = Buffer.from(`{"${key}":1,"b":2}`);
    const { root } = indexJson(
      windowReader((into, at) => into.subarray(0, bytes.copy(into, 0, at)), bytes.length),
      {},
    );
    expect(root?.children?.map((n) => text(bytes, n))).toEqual(['1', '2']);
    expect(root?.children?.[0]?.key).toHaveLength(64 << 10);
  });

  test('stops at its limit of members', () => {
    const bytes = Buffer.from(`[${'1,'.repeat(50)}1]`);
    expect(indexJson(memory(bytes), {}, 10).problem).toEqual({ what: 'more than 10 members', offset: 19 });
  });
});
