import { hostOf } from '../../commands/hosts.js';
import { type TextTest, textTest } from './regex.js';
import type { ListDefinition, ListEntry } from './schema.js';

/** Named lists by name, each with its entries. */
export type ListDefinitions = ReadonlyMap<string, readonly ListEntry[]>;

/** Answers of one class of paths or hosts are kept for this many texts. */
const REMEMBERED = 4096;

/** The lists of all files: names in it, and whether a path or host belongs to a class. */
export class Lists {
  private readonly tests = new Map<string, TextTest>();
  private readonly hosts = new Map<string, string>();

  constructor(private readonly definitions: ListDefinitions) {}

  has(name: string): boolean {
    return this.definitions.has(name);
  }

  /** All list names, in order. */
  names(): readonly string[] {
    return [...this.definitions.keys()].sort();
  }

  /** Entries of a list with those of the lists it takes in. Throws where a list is unknown or takes in itself. */
  entries(name: string, inside: readonly string[] = []): readonly (string | { readonly re: string })[] {
    const own = this.definitions.get(name);
    if (own === undefined) throw new Error(`there is no list ${name}`);
    if (inside.includes(name)) throw new Error(`the list ${name} takes in itself`);
    return own.flatMap((entry) => (typeof entry === 'object' && 'list' in entry ? this.entries(entry.list, [...inside, name]) : [entry]));
  }

  /** The plain names of a list. */
  plain(name: string): readonly string[] {
    if (/^(?:path|host)\./.test(name)) throw new Error(`${name} is a list of patterns, not of names`);
    return this.entries(name).map((entry) => {
      if (typeof entry !== 'string') throw new Error(`the list ${name} holds a pattern among its names`);
      return entry;
    });
  }

  pathTest(name: string): TextTest {
    return this.test(`path.${name}`, (list) => textTest(this.entries(list).map((entry) => (typeof entry === 'string' ? entry : entry.re))));
  }

  /** Test for a host, as `hostOf` gives it. */
  hostTest(name: string): TextTest {
    return this.test(`host.${name}`, (list) => hostTest(this.entries(list)));
  }

  /** The host of an address, remembered: the same few stand in many rules. */
  host(address: string): string {
    const known = this.hosts.get(address);
    if (known !== undefined) return known;
    const host = /^[-/.~]/.test(address) && !address.startsWith('//') ? '' : hostOf(address);
    if (this.hosts.size >= REMEMBERED) this.hosts.clear();
    this.hosts.set(address, host);
    return host;
  }

  /** One test per list, each with its own memory. */
  private test(list: string, make: (list: string) => TextTest): TextTest {
    let test = this.tests.get(list);
    if (test === undefined) {
      test = remembering(make(list));
      this.tests.set(list, test);
    }
    return test;
  }
}

function remembering(test: TextTest): TextTest {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = test(text);
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, answer);
    return answer;
  };
}

/** `a.b` is that host, `.a.b` the domain with all below it, anything else a regular expression. */
function hostTest(entries: readonly (string | { readonly re: string })[]): TextTest {
  const names = new Set<string>();
  const patterns: string[] = [];
  for (const entry of entries) {
    if (typeof entry === 'object') patterns.push(entry.re);
    else if (/^\.?[\w-]+(?:\.[\w-]+)*$/.test(entry)) names.add(entry.toLowerCase());
    else patterns.push(entry);
  }
  const matches = patterns.length === 0 ? () => false : textTest(patterns);
  return (host) => names.has(host) || domainsOf(host).some((domain) => names.has(domain)) || matches(host);
}

/** `.a.b.c`, `.b.c`, `.c` of `a.b.c`. */
function domainsOf(host: string): string[] {
  const parts = host.split('.', 40);
  return parts.map((_, i) => `.${parts.slice(i).join('.')}`);
}

/** Takes lists of files together: a later list of one name adds to the one before with `extend`, and replaces it otherwise. */
export function mergeLists(files: readonly Readonly<Record<string, ListDefinition>>[]): ListDefinitions {
  const merged = new Map<string, readonly ListEntry[]>();
  for (const lists of files) {
    for (const [name, list] of Object.entries(lists)) {
      if (Array.isArray(list)) merged.set(name, list);
      else merged.set(name, list.extend ? [...(merged.get(name) ?? []), ...list.entries] : list.entries);
    }
  }
  return merged;
}
