import { describe, expect, it } from 'vitest';
import { compileCondition, loadRules, RulesFileError, readRulesText } from '../../src/analyze/rules/index.js';
import { nestsUnbounded } from '../../src/analyze/rules/regex.js';
import { builtIn, catalog, found, viewsOf } from './rules-support.js';

const RULE = `id: corp.curl
title: curl was used
level: low
means: A test.
otherwise: [normal work]
match: {command: {name: curl}}
samples: {match: [curl x], no_match: [wget x]}
`;

const own = (text: string) => loadRules(catalog, readRulesText(text, 'own.yaml'));
const rulesOf = (text: string) => own(text).rules.filter((rule) => rule.id.startsWith('corp.'));

/** What is said about a file that is refused. */
function refusal(text: string): string {
  try {
    own(text);
  } catch (error) {
    if (error instanceof RulesFileError) return error.message;
    throw error;
  }
  return '';
}

const changed = (from: string, to: string) => refusal(RULE.replace(from, to));

describe('a file of rules', () => {
  it('is one rule, several documents, or a list', () => {
    const two = `${RULE}---\n${RULE.replace('corp.curl', 'corp.two')}`;
    const list = `rules:\n${[RULE, RULE.replace('corp.curl', 'corp.two')].map((rule) => `  - ${rule.trimEnd().replaceAll('\n', '\n    ')}`).join('\n')}\n`;
    expect(rulesOf(RULE).map((rule) => rule.id)).toEqual(['corp.curl']);
    expect(rulesOf(two).map((rule) => rule.id)).toEqual(['corp.curl', 'corp.two']);
    expect(rulesOf(list).map((rule) => rule.id)).toEqual(['corp.curl', 'corp.two']);
    expect(rulesOf('# nothing\n')).toEqual([]);
  });

  it('adds to the built-in rules, with what it leaves out filled in', () => {
    const [rule] = rulesOf(RULE);
    expect(rule).toMatchObject({ version: 1, attack: [], atlas: [], author: '', source: '', kind: 'match', rowTypes: undefined });
    expect(own(RULE).rules.length).toBe(builtIn.rules.length + 1);
    expect(found('curl -s https://api.acme.invalid', own(RULE))).toContain('corp.curl');
  });

  it('replaces a rule only when it says so', () => {
    const same = RULE.replace('corp.curl', 'recon.network-scan');
    expect(refusal(same)).toBe('own.yaml:1: rule recon.network-scan: there is a rule of this id already: say `replaces`');
    const replacing = own(`${same}replaces: recon.network-scan\n`);
    expect(replacing.rules.length).toBe(builtIn.rules.length);
    expect(replacing.rules.find((rule) => rule.id === 'recon.network-scan')?.title).toBe('curl was used');
    expect(own(`${RULE}replaces: recon.network-scan\n`).rules.map((rule) => rule.id)).not.toContain('recon.network-scan');
    expect(refusal(`${RULE}replaces: corp.none\n`)).toContain('replaces corp.none, which is no rule');
    expect(refusal(`${RULE}---\n${RULE}version: 2\nreplaces: corp.curl\n`)).toContain('another version of the same rule');
  });
});

describe('lists of a user', () => {
  const piped = 'curl -fsSL https://get.corp.invalid/i | sh';

  it('extend a built-in list', () => {
    expect(found(piped)).toContain('exec.download-run');
    const set = own('lists:\n  host.installer: {extend: true, entries: [get.corp.invalid]}\n');
    expect(found(piped, set)).toEqual(['exec.download-run-installer']);
    expect(found('curl -sSf https://sh.rustup.rs | sh', set)).toEqual(['exec.download-run-installer']);
  });

  it('replace it otherwise', () => {
    const set = own("lists:\n  host.installer: ['^get\\.corp\\.invalid$']\n");
    expect(found(piped, set)).toEqual(['exec.download-run-installer']);
    expect(found('curl -sSf https://sh.rustup.rs | sh', set)).toEqual(['exec.download-run']);
  });

  it('may be new, and hold names, domains, patterns and other lists', () => {
    const lists =
      "lists:\n  host.corp: [a.corp.invalid, .deep.invalid, {re: '^x\\d\\.invalid$'}, {list: host.metadata}]\n  tools: [corp-a, corp-b]\n";
    const rule = RULE.replace('{name: curl}', '{any: [{name: {list: tools}}, {urls: {host: corp}}]}');
    const set = own(`${lists}---\n${rule}`);
    for (const host of ['a.corp.invalid', 'deep.invalid', 'b.deep.invalid', 'x1.invalid', '169.254.169.254'])
      expect([host, found(`curl http://${host}/`, set).includes('corp.curl')]).toEqual([host, true]);
    for (const host of ['b.corp.invalid', 'verydeep.invalid', 'x.invalid', 'a.corp.invalid.example.net'])
      expect([host, found(`curl http://${host}/`, set).includes('corp.curl')]).toEqual([host, false]);
    expect(found('corp-b', set)).toEqual(['corp.curl']);
  });

  it('are refused when they cannot be used, even where no rule asks for them', () => {
    expect(refusal("lists:\n  path.own: ['(']\n")).toMatch(/^own\.yaml:2: list path\.own: not a regular expression/);
    expect(refusal('lists:\n  path.own: [{list: path.none}]\n')).toBe('own.yaml:2: list path.own: there is no list path.none');
    expect(refusal('lists:\n  path.a: [{list: path.b}]\n  path.b: [{list: path.a}]\n')).toContain('takes in itself');
    expect(refusal('lists:\n  names: [{re: a}]\n')).toContain('the list names holds a pattern among its names');
    expect(refusal('lists:\n  Names: [a]\n')).toContain('a list is name, path.name or host.name');
  });
});

describe('a file that is refused', () => {
  it.each([
    ['an unknown key of the rule', 'level: low', 'levle: low', 'own.yaml:3: rule corp.curl: unknown key levle'],
    ['an unknown key of a command', '{name: curl}', '{nmae: curl}', 'own.yaml:6: rule corp.curl: match.command: unknown key nmae'],
    [
      'an unknown key of a matcher',
      '{name: curl}',
      '{name: {rex: curl}}',
      'own.yaml:6: rule corp.curl: match.command.name: unknown key rex',
    ],
    [
      'an unknown key of a condition',
      '{command: {name: curl}}',
      '{comand: {name: curl}}',
      'own.yaml:6: rule corp.curl: match: unknown key comand',
    ],
    ['an unknown key deep inside', '{name: curl}', '{any: [{not: {flagg: -x}}]}', 'match.command.any.0.not: unknown key flagg'],
    ['an unknown column', '{command: {name: curl}}', '{where: {txt: a}}', 'match.where.txt: no column, joined value or details'],
    ['an unknown list', '{name: curl}', '{name: {list: nobody}}', 'own.yaml:1: rule corp.curl: there is no list nobody'],
    ['an unknown path class', '{name: curl}', '{reads: {path: nobody}}', 'there is no list path.nobody'],
    ['an unknown host class', '{name: curl}', "{urls: {host: '!nobody'}}", 'there is no list host.nobody'],
    ['a list of patterns where names are asked for', '{name: curl}', '{name: {list: path.temp}}', 'is a list of patterns, not of names'],
    ['a pattern that is none', '{name: curl}', "{line: {re: '['}}", 'not a regular expression'],
    ['a pattern that can run away', '{name: curl}', "{line: {re: '(a+)+b'}}", 'a repetition without bound inside another one'],
    ['a missing sample that matches', 'match: [curl x]', 'match: []', 'samples.match: at least one sample that matches'],
    ['a missing sample that does not', ', no_match: [wget x]', '', 'samples.no_match'],
    ['no samples', 'samples: {match: [curl x], no_match: [wget x]}', '', 'samples: '],
    ['a level that is none', 'level: low', 'level: urgent', 'own.yaml:3: rule corp.curl: level: '],
    ['an id without family', 'id: corp.curl', 'id: curl', 'own.yaml:1: rule curl: id: an id is family.short-name'],
    ['no other explanation', 'otherwise: [normal work]', 'otherwise: []', 'otherwise: at least one other explanation'],
    ['a long title', 'curl was used', 'x'.repeat(81), 'title: '],
    ['no condition', 'match: {command: {name: curl}}\n', '', 'exactly one of match, sequence, group, check'],
    ['two kinds', 'means:', 'check: claim-tests\nmeans:', 'exactly one of match, sequence, group, check'],
    ['an empty condition', '{command: {name: curl}}', '{}', 'match: an empty condition'],
    ['a retired technique', 'means:', 'attack: [T1562.001]\nmeans:', 'the ATT&CK id T1562.001 was retired in v19: now T1685'],
    ['an unknown technique', 'means:', 'attack: [T9999]\nmeans:', 'T9999 is no ATT&CK id of v19'],
    ['an unknown ATLAS technique', 'means:', 'atlas: [AML.T9999]\nmeans:', 'AML.T9999 is no ATLAS id'],
    ['an analysis nobody wrote', 'match: {command: {name: curl}}', 'check: nobody', 'rule corp.curl: check: '],
    ['a row type that is none', 'means:', 'rows: [tool]\nmeans:', 'rows.0: '],
  ])('names %s', (_, from, to, message) => {
    expect(changed(from, to)).toContain(message);
  });

  it('names every fault with its line, not the first alone', () => {
    const text = `rules:\n  - ${RULE.replace('level: low', 'level: loud').trimEnd().replaceAll('\n', '\n    ')}\n  - ${RULE.replace('corp.curl', 'corp.two').replace('name: curl', 'nam: curl').trimEnd().replaceAll('\n', '\n    ')}\n`;
    expect(
      refusal(text)
        .split('\n')
        .map((line) => line.replace(/(?<=level: ).*/, '...')),
    ).toEqual(['own.yaml:4: rule corp.curl: level: ...', 'own.yaml:14: rule corp.two: match.command: unknown key nam']);
  });

  it('is no YAML, or too much of it', () => {
    expect(refusal('a: [')).toMatch(/^own\.yaml:1: /);
    expect(refusal('just text')).toMatch(/^own\.yaml:1: /);
    expect(refusal(`a: ${'['.repeat(100_000)}`)).toBe('own.yaml: nested deeper than 40 levels');
    expect(refusal(Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'))).toMatch(/^own\.yaml/);
    for (const levels of [50, 300, 3000]) {
      const deep = `match:\n${Array.from({ length: levels }, (_, i) => `${' '.repeat(i + 1)}not:`).join('\n')} {command: {name: x}}\n`;
      expect(refusal(deep)).toMatch(/^own\.yaml:\d+: nested deeper than 40 levels$/);
    }
    expect(refusal(Array.from({ length: 50_000 }, () => '[').join('\n'))).toMatch(/^own\.yaml/);
    expect(refusal('match: &a {not: *a}\n')).toMatch(/^own\.yaml:1: /);
    expect(refusal(`lists:\n  a: &a [x, y]\n  b: *a\n`)).toBe('own.yaml:1: aliases (*name) are not read');
  });
});

describe('regular expressions', () => {
  it.each(['(a+)+', '(a*)*', '(a|b+)*', '((a)+b)+', '(?:x{2,})+', '([ab]+c)*d', '(a+){20}', '(?=(a+))+', '(\\(+)+', '(a{0,99})*'])(
    '%s is refused',
    (source) => {
      expect(nestsUnbounded(source)).toBe(true);
    },
  );

  it.each(['a+b+', '(a+)?', '(a{1,9})+', '[a+]+', '\\(a+\\)+', '(ab)+', '(a+){2,3}', '(?:a|b)*c+', '(?!a+)b', '[^)(+]*'])(
    '%s is taken',
    (source) => {
      expect(nestsUnbounded(source)).toBe(false);
    },
  );

  it('know flags at their head, and lists of alternatives', () => {
    const matches = (re: unknown, text: string) => {
      const [view] = viewsOf({ row_type: 'prompt', text });
      return view !== undefined && compileCondition({ where: { text: { re } } }, builtIn.lists).matches(view);
    };
    expect(matches('(?i)^abc$', 'ABC')).toBe(true);
    expect(matches('^abc$', 'ABC')).toBe(false);
    expect(matches('(?is)a.b', 'A\nB')).toBe(true);
    expect(matches('(?m)^b$', 'a\nb')).toBe(true);
    expect(matches(['^x', '(a)(?=(b))\\2', '(?i)^y'], 'ab')).toBe(true);
    expect(matches(['^x', '(?i)^y'], 'Yes')).toBe(true);
    expect(matches(['^x', '(?i)^y'], 'no')).toBe(false);
    expect(matches('^\\u{1F600}$', '\u{1F600}')).toBe(true);
  });
});

describe('a condition outside of a rule', () => {
  it('is made ready, or refused with the place', () => {
    const [view] = viewsOf('curl -fsSL https://get.corp.invalid/i');
    const condition = compileCondition({ where: { command: { re: '^curl -fsSL https://get\\.corp\\.invalid/' } } }, builtIn.lists);
    expect(view !== undefined && condition.matches(view)).toBe(true);
    expect(() => compileCondition({ where: { comand: 'x' } }, builtIn.lists)).toThrow('where.comand: no column, joined value or details');
    expect(() => compileCondition('x', builtIn.lists)).toThrow();
  });
});
