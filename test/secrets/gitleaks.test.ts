import { describe, expect, it } from 'vitest';
import { translatePattern } from '../../src/secrets/go-regex.js';
import { createScanner, parseRules, translateGitleaks } from '../../src/secrets/index.js';
import { readToml } from '../../src/secrets/toml.js';
import { characters, random } from './generate.js';

const FILE = `
title = "acme"   # a comment
[extend]
useDefault = true

[allowlist]
regexes = ['''^acme_test_''',]

[[rules]]
id = "acme-token"
description = "Acme \\"live\\" token"
regex = '''(?i)\\b(acme_(?:live|test)_[a-z0-9]{20,})\\b'''
entropy = 3.0
keywords = [
  "acme_live",  # first
  "acme_test",
]

[[rules]]
id = "acme-pass"
regex = """(?P<name>acme_pass)\\\\s*[:=]\\\\s*(?P<value>[[:alnum:]]{12,40})\\\\z"""
secretGroup = 2
keywords = ["acme_pass"]
  [rules.allowlist]
  stopwords = ["placeholder"]
  regexTarget = "line"
  regexes = ["ignore-me"]

[[rules]]
id = "nested"
regex = '(a+)+b'
keywords = ["a"]

[[rules]]
id = "paths"
path = '''\\.pem$'''

[[rules]]
id = "no-keyword"
regex = 'x'

[[rules]]
id = "unicode-class"
regex = '\\p{Greek}{3}'
keywords = ["x"]
`;

describe('rules in the form of gitleaks', () => {
  const { document, refused } = translateGitleaks(FILE);
  const scanner = createScanner(parseRules([document]));
  const token = characters(random(1), 'lower', 24);

  it('are used, and what cannot be is named with its reason', () => {
    expect(document.rules.map((rule) => ('id' in rule ? rule.id : ''))).toEqual(['user.acme-token', 'user.acme-pass']);
    expect(refused).toEqual([
      { id: 'nested', line: 29, reason: 'nested repetition without a bound' },
      { id: 'paths', line: 34, reason: 'it looks at paths only' },
      { id: 'no-keyword', line: 38, reason: 'it has no keyword to start from' },
      { id: 'unicode-class', line: 42, reason: 'the escape \\p' },
    ]);
  });

  it('find with their flags, groups and thresholds', () => {
    const text = `x ACME_LIVE_${token} y`;
    const [hit] = scanner.scanText(text);
    expect(hit?.finding).toMatchObject({ rule: 'user.acme-token', class: 'secret', confidence: 'medium', start: 2, end: text.length - 2 });
    expect(scanner.scanText(`x ACME_LIVE_${'ab'.repeat(12)} y`)).toEqual([]);
    expect(scanner.scanText(`acme_pass = ${token}`)[0]?.value).toBe(token);
  });

  it('keep to allow lists and stop words', () => {
    expect(scanner.scanText(`x acme_test_${token} y`)).toEqual([]);
    expect(scanner.scanText(`ignore-me acme_pass=${token}`)).toEqual([]);
    expect(scanner.scanText('acme_pass=placeholder123')).toEqual([]);
  });

  it.each([
    ["[[rules]]\nid = \"a\"\nregex = '''x", "rule a, line 3: a string without its closing '''"],
    ['[[rules]]\nid = "a"\nregex = "x\\q"', 'rule a, line 3: an unknown escape \\q'],
    ['[[rules]]\nregex = "x"', 'line 1: a rule without an id'],
    ['[[rules]]\nid = "a"\nregex = "x"\nkeywords = ["x"]\n[[rules]]\nid = "a"', 'rule a, line 5: the id occurs twice'],
    ['[allowlist]\nregexes = ["a("]', 'allowlist, line 1: a group that is not closed'],
    ['what is this', 'line 1: neither a table nor a key'],
    ['a = {b = 1}', 'line 1: a value that is no string, number, boolean or array'],
  ])('a broken file is refused: %j', (toml, message) => {
    expect(() => translateGitleaks(toml)).toThrow(message);
  });
});

describe('patterns of Go', () => {
  const test = (pattern: string, text: string) => new RegExp(translatePattern(pattern)).test(text);
  it.each([
    ['a(?i)b(?-i)c', ['abc', 'aBc'], ['Abc', 'abC']],
    ['(?i:ab)c', ['ABc'], ['abC']],
    ['(?i)[a-f0-9]{4}(?-i:XY)', ['AF09XY'], ['af09xy']],
    ['^x\\z', ['x'], ['x\n']],
    ['[[:upper:]_]+', ['A_'], ['a']],
    ['(?P<n>a)b', ['ab'], ['ac']],
    ['(?s)a.b', ['a\nb'], ['ab']],
    ['(?m)^b$', ['a\nb\nc'], ['ab']],
    ['a{2,}', ['aaa'], ['a']],
    ['[]a]x', [']x', 'ax'], ['bx']],
    ['\\Qa.b\\E', ['a.b'], ['axb']],
    ['\\x41\\x{42}', ['AB'], ['ab']],
    ['a{b}', ['a{b}'], ['ab']],
    ['(?:ab)+c', ['ababc'], ['c']],
  ])('%s', (pattern, good, bad) => {
    expect(good.filter((text) => !test(pattern, text))).toEqual([]);
    expect(bad.filter((text) => test(pattern, text))).toEqual([]);
  });

  it.each(['(', 'a)', '(?U)a+', '(?=a)', '\\pN', '\\1', '[a', '(a*)*', '((a+)b)+', '([a-z]{1,100}){2,}', '\\'])(
    '%s is refused',
    (pattern) => {
      expect(() => translatePattern(pattern)).toThrow();
    },
  );
});

it('TOML values are read as they are', () => {
  const source = 'a = \'x\\n\'\nb = """\none\\\n   two"""\nc = [1, -2.5, [true, false], ]\nd = "\\u00e9\\t"\n[t.u]\n"k" = 1e3';
  const [top, table] = readToml(source);
  expect(Object.fromEntries(top?.members ?? [])).toEqual({ a: 'x\\n', b: 'onetwo', c: [1, -2.5, [true, false]], d: '\u00e9\t' });
  expect(table).toMatchObject({ path: 't.u', isElement: false, line: 7 });
});
