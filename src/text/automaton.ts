/** A class for each code unit there is: no test before each read. */
const UNITS = 0x10000;
const ASCII = 128;

/** The characters outside of ASCII that an expression without case takes for a letter of ASCII: long s and the Kelvin sign. */
const FOLDED = [
  ['s', 0x017f],
  ['k', 0x212a],
] as const;

/**
 * Finds many keywords at once, in one pass over UTF-16 code units (Aho and Corasick, 1975). Case of ASCII letters does not count, as
 * an expression with the flags `iu` sees it; other characters are looked for as they are.
 */
export interface Automaton {
  /** Calls `visit` for each keyword in [from, to), with its number and the offset behind it, in order of that offset. */
  readonly each: (text: string, from: number, to: number, visit: (keyword: number, end: number) => void) => void;
}

interface Node {
  readonly children: Map<number, number>;
  readonly ends: number[];
  fail: number;
}

/** States that a table of two bytes an entry can tell apart, with their complements. */
const MOST_SMALL = 0x8000;

/**
 * The transition table holds, for each state and character class, the next state; the complement of it where a keyword ends. So a
 * character without a hit costs two reads and one test. Characters that occur in no keyword share a class. States are numbered from
 * the root outwards and take a power of two of places each: those that most texts stay in lie close together.
 */
export function automaton(keywords: readonly string[]): Automaton {
  const { classes, width } = classesOf(keywords);
  const bits = Math.ceil(Math.log2(Math.max(2, width)));
  const nodes = trie(keywords, classes);
  const order = link(nodes);
  const numbers = new Int32Array(nodes.length);
  for (const [number, node] of order.entries()) numbers[node] = number;
  const table = nodes.length <= MOST_SMALL ? new Int16Array(nodes.length << bits) : new Int32Array(nodes.length << bits);
  const outputs: Int32Array[] = [];
  for (const [state, number] of order.entries()) {
    const node = nodes[number];
    if (!node) continue;
    outputs.push(Int32Array.from(node.ends));
    // a state goes where the one it fails to goes, but for its own children; that one is nearer to the root and made before
    const fail = numbers[node.fail] ?? 0;
    if (state !== 0) table.copyWithin(state << bits, fail << bits, (fail + 1) << bits);
    for (const [cls, child] of node.children) {
      const target = numbers[child] ?? 0;
      table[(state << bits) + cls] = (nodes[child]?.ends.length ?? 0) > 0 ? ~target : target;
    }
  }
  return { each: (text, from, to, visit) => run(table, classes, bits, outputs, text, from, to, visit) };
}

function classesOf(keywords: readonly string[]): { classes: Uint8Array; width: number } {
  const classes = new Uint8Array(UNITS);
  let width = 1;
  for (const keyword of keywords)
    for (const char of keyword.toLowerCase()) {
      const unit = char.charCodeAt(0);
      if (classes[unit] !== 0) continue;
      classes[unit] = width;
      if (unit < ASCII) classes[char.toUpperCase().charCodeAt(0)] = width;
      width += 1;
    }
  for (const [letter, unit] of FOLDED) classes[unit] = classes[letter.charCodeAt(0)] ?? 0;
  return { classes, width };
}

function trie(keywords: readonly string[], classes: Uint8Array): Node[] {
  const nodes: Node[] = [{ children: new Map(), ends: [], fail: 0 }];
  keywords.forEach((keyword, number) => {
    let state = 0;
    for (const char of keyword.toLowerCase()) {
      const cls = classes[char.charCodeAt(0)] ?? 0;
      const next = nodes[state]?.children.get(cls) ?? nodes.length;
      if (next === nodes.length) {
        nodes[state]?.children.set(cls, next);
        nodes.push({ children: new Map(), ends: [], fail: 0 });
      }
      state = next;
    }
    nodes[state]?.ends.push(number);
  });
  return nodes;
}

/** Sets the failure links, adds what the linked states end with, and returns the states breadth first. */
function link(nodes: readonly Node[]): number[] {
  const order = [0];
  for (let i = 0; i < order.length; i += 1) {
    const state = order[i] ?? 0;
    for (const [cls, child] of nodes[state]?.children ?? []) {
      order.push(child);
      const node = nodes[child];
      if (!node || state === 0) continue;
      let fail = nodes[state]?.fail ?? 0;
      while (fail !== 0 && !nodes[fail]?.children.has(cls)) fail = nodes[fail]?.fail ?? 0;
      node.fail = nodes[fail]?.children.get(cls) ?? 0;
      node.ends.push(...(nodes[node.fail]?.ends ?? []));
    }
  }
  return order;
}

function run(
  table: Int16Array | Int32Array,
  classes: Uint8Array,
  bits: number,
  outputs: readonly Int32Array[],
  text: string,
  from: number,
  to: number,
  visit: (keyword: number, end: number) => void,
): void {
  let state = 0;
  for (let i = from; i < to; i += 1) {
    state = table[(state << bits) + (classes[text.charCodeAt(i)] ?? 0)] ?? 0;
    if (state >= 0) continue;
    state = ~state;
    for (const keyword of outputs[state] ?? []) visit(keyword, i + 1);
  }
}
