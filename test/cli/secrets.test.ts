import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Row, RowSecret } from '../../src/rows/row.js';
import { characters, random } from '../secrets/generate.js';
import { kirotrail, manifestOf, rowsOf, saveExport, testFolder, writeFileDeep } from '../support/cli.js';
import { sarifFaults } from '../support/sarif.js';

const folder = testFolder();
const made = (seed: number, size: number, ...prefix: readonly string[]) => prefix.join('') + characters(random(seed), 'base62', size);
const PASSWORD = `${made(300, 14, 'kT9!')}/x`;
const GITHUB = made(301, 36, 'gh', 'p_');
const SLACK = made(302, 24, 'xo', 'xb-123456789012-210987654321-');

let count = 0;
const path = (name: string) => join(folder, `${++count}-${name}`);

function write(name: string, content: string | object): string {
  return writeFileDeep(path(name), typeof content === 'string' ? content : JSON.stringify(content));
}

const chat = (...prompts: readonly string[]) =>
  write(
    'chat.json',
    saveExport(
      'c',
      prompts.map((prompt) => [prompt, 'ok'] as const),
    ),
  );

function rows(evidence: string, ...more: readonly string[]): Row[] {
  const call = kirotrail([evidence, '-q', '-f', 'jsonl', ...more]);
  if ((call.code ?? 99) > 1) throw new Error(`exit ${call.code}: ${call.stderr}`);
  return rowsOf(call.stdout);
}

const findings = (evidence: string, ...more: readonly string[]): RowSecret[] => rows(evidence, ...more).flatMap((row) => row.secrets);

describe('fingerprints', () => {
  /** One password, in as many stores and ways of writing as there are. */
  function evidence(root: string): string {
    const put = (file: string, content: string | object) =>
      writeFileDeep(join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
    const basic = Buffer.from(`ci:${PASSWORD}`).toString('base64');
    const turn = JSON.parse(saveExport('c', [[`DB_PASSWORD="${PASSWORD}"`, `curl -u ci:${PASSWORD} https://ci.acme.dev`]]));
    turn.history[0].user.env_context.env_state.environment_variables = [
      { key: 'DB_PASSWORD', value: PASSWORD },
      { key: 'DB_PASSWORD_QUOTED', value: `"${PASSWORD}"` },
    ];
    put('exports/chat.json', turn);
    put(
      'exports/more.json',
      saveExport('d', [
        [`postgres://app:${encodeURIComponent(PASSWORD)}@db.internal/app`, JSON.stringify({ out: JSON.stringify({ password: PASSWORD }) })],
        [`Authorization: Basic ${basic}`, `export API_TOKEN='${PASSWORD}'`],
      ]),
    );
    put('.aws/amazonq/mcp.json', {
      mcpServers: {
        one: { command: 'x', env: { API_TOKEN: PASSWORD }, args: ['--token', PASSWORD] },
        two: { url: 'https://x.dev/mcp', headers: { Authorization: `Bearer ${PASSWORD}`, 'X-Api-Key': PASSWORD } },
        three: { url: 'https://x.dev/mcp', headers: { Authorization: `Basic ${basic}` }, oauth: { clientSecret: PASSWORD } },
      },
    });
    put('.aws/sso/cache/a.json', { accessToken: PASSWORD });
    put('.kiro/settings/mcp.json', { mcpServers: { k: { command: 'x', env: { K_SECRET: PASSWORD } } } });
    const database = join(root, '.local/share/amazon-q/data.sqlite3');
    writeFileDeep(database, '');
    const db = new Database(database);
    db.exec('CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE state (key TEXT PRIMARY KEY, value BLOB)');
    db.prepare('INSERT INTO auth_kv VALUES (?, ?)').run('kirocli:odic:token', JSON.stringify({ refresh_token: PASSWORD }));
    db.prepare('INSERT INTO state VALUES (?, ?)').run('telemetry-cognito-credentials', JSON.stringify({ secret_key: PASSWORD }));
    db.close();
    return root;
  }

  const first = evidence(path('evidence'));
  const marksOf = (root: string, ...more: readonly string[]) => new Set(findings(root, ...more).map(({ fingerprint }) => fingerprint));

  it('are the same for a value in every store and every way of writing', () => {
    const found = rows(first).flatMap((row) => row.secrets.map((secret) => ({ file: row.source_file, ...secret })));
    expect(new Set(found.map(({ file }) => file)).size).toBe(6);
    expect(new Set(found.map(({ rule }) => rule)).size).toBeGreaterThan(8);
    expect(found.filter(({ fingerprint }) => fingerprint !== found[0]?.fingerprint)).toEqual([]);
    expect(found[0]?.fingerprint).toMatch(/^s1:[0-9a-f]{16}$/);
  });

  it('are the same for the same evidence at another path, and others for other evidence', () => {
    const copy = path('copy');
    cpSync(first, copy, { recursive: true, preserveTimestamps: true });
    const marks = marksOf(first);
    expect(marksOf(copy)).toEqual(marks);
    writeFileDeep(join(copy, 'exports/other.json'), saveExport('e', [['hello', 'hi']]));
    const others = marksOf(copy);
    expect(others.size).toBe(1);
    expect(others).not.toEqual(marks);
  });

  it('can be compared over cases by a key file', () => {
    const other = chat(`DB_PASSWORD=${PASSWORD}`);
    const key = write('key', made(303, 32));
    const marks = marksOf(first, '--fingerprint-key', key);
    expect(marksOf(other, '--fingerprint-key', key)).toEqual(marks);
    expect(marksOf(other)).not.toEqual(marks);
    expect(marksOf(other, '--fingerprint-key', write('key', made(304, 32)))).not.toEqual(marks);
  });

  it.each([
    ['short', 'fewer than 16 bytes'],
    [undefined, 'cannot read'],
  ])('a key file %s is a fault of the call', (content, message) => {
    const key = content === undefined ? path('nowhere') : write('key', content);
    const { code, stderr } = kirotrail([first, '--fingerprint-key', key]);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^kirotrail: --fingerprint-key: .*${message}`));
  });
});

describe('--fail-on-secrets', () => {
  const exit = (evidence: string, ...more: readonly string[]) => kirotrail([evidence, '-q', '--fail-on-secrets', ...more]).code;
  const broken = writeFileDeep(join(path('broken'), '.aws/amazonq/mcp.json'), '{"mcpServers": ');

  it('5: a secret was found, whatever is shown or listed of it', () => {
    const evidence = chat(`push with ${GITHUB}`);
    expect(exit(evidence)).toBe(5);
    expect(exit(evidence, '--secrets', 'show')).toBe(5);
    expect(exit(evidence, '--secrets-min', 'certain')).toBe(5);
    expect(kirotrail([evidence, '-q']).code).toBe(0);
  });

  it('0: nothing, key ids, and doubtful finds', () => {
    expect(exit(chat('hello'))).toBe(0);
    expect(exit(chat(`id AK${'IA'}${characters(random(305), 'base32', 16)}`, 'password = "hunter"', `x ghp_${'x'.repeat(36)}`))).toBe(0);
  });

  it('1 and 3: as without it; a secret counts for more than a broken file', () => {
    const home = join(broken, '../../..');
    expect(exit(home)).toBe(1);
    expect(exit(join(folder, 'nothing-here', '..'), '--session', 'none', '--row-type', 'shell')).not.toBe(5);
    expect(exit(writeFileDeep(join(path('empty'), 'x.txt'), '').replace(/x\.txt$/, ''))).toBe(3);
    writeFileDeep(join(home, 'exports/chat.json'), saveExport('f', [[`token ${SLACK}`, 'ok']]));
    expect(exit(home)).toBe(5);
  });
});

describe('--secrets-min', () => {
  const evidence = chat(`bot ${SLACK}`, `push with ${GITHUB}`, 'const password = "hunter"', `example ${'AKIA'}IOSFODNN7EXAMPLE`);
  const rank = ['none', 'low', 'medium', 'high', 'certain'];

  it.each(rank)('%s: lists what is at least as sure', (least) => {
    const found = findings(evidence, '--secrets-min', least).map(({ confidence }) => rank.indexOf(confidence));
    expect(found.every((confidence) => confidence >= rank.indexOf(least))).toBe(true);
    expect(new Set(found).size).toBe(Math.max(0, 4 - rank.indexOf(least)));
  });

  it('is medium unless said, counts all the same, and changes nothing that is masked', () => {
    const texts = (...more: readonly string[]) => rows(evidence, ...more).map(({ text }) => text);
    expect(findings(evidence)).toEqual(findings(evidence, '--secrets-min', 'medium'));
    expect(texts('--secrets-min', 'certain')).toEqual(texts('--secrets-min', 'none'));
    const [few, all] = ['certain', 'none'].map((least) => {
      const out = path('out.jsonl');
      kirotrail([evidence, '-q', '-o', out, '--secrets-min', least]);
      return manifestOf(`${out}.manifest.json`).secrets;
    });
    expect(few?.found).toEqual(all?.found);
    expect(few?.least).toBe('certain');
  });
});

const ACME = `
[[rules]]
id = "acme-token"
description = "Acme token"
regex = '''\\b(acme_[a-z0-9]{20})\\b'''
keywords = ["acme_"]

[[rules]]
id = "only-a-path"
path = '''\\.pem$'''
`;

describe('--secret-rules', () => {
  const token = `acme_${characters(random(306), 'lower', 20)}`;
  const evidence = chat(`sign in as ${token} please`);

  it('finds and masks by a translated rule, and names one that cannot be translated', () => {
    const out = path('out.jsonl');
    const { code, stderr } = kirotrail([evidence, '-o', out, '--secret-rules', write('acme.toml', ACME)]);
    expect(code).toBe(0);
    expect(stderr).toContain('rule left out: only-a-path: it looks at paths only');
    const text = readFileSync(out, 'utf8');
    expect(text).toContain('[REDACTED:user.acme-token:');
    expect(text).not.toContain(token);
    expect(rowsOf(Buffer.from(text)).find((row) => row.row_type === 'prompt')?.secret_rules).toEqual(['user.acme-token']);
    const { secrets } = manifestOf(`${out}.manifest.json`);
    expect(secrets.refused_rules).toEqual([{ id: 'only-a-path', reason: 'it looks at paths only' }]);
    expect(secrets.found).toEqual({ 'user.acme-token secret medium': 1 });
    expect(findings(evidence)).toEqual([]);
  });

  it('says which rules are left out with --quiet, too, in the manifest only', () => {
    expect(kirotrail([evidence, '-q', '--secret-rules', write('acme.toml', ACME)]).stderr).toBe('');
  });

  it.each([
    ["[[rules]]\nid = \"acme\"\nregex = '''x", /acme\.toml: rule acme, line 3: a string without its closing '''/],
    ['\n\n[[rules]]\nregex = "x"', /acme\.toml: line 3: a rule without an id/],
    [`${ACME}\n[[rules]]\nid = "acme-token"\nregex = "x"\nkeywords = ["x"]`, /rule acme-token, line 12: the id occurs twice/],
    ['[[rules]]\nid = "my rule"\nregex = "x{3}"\nkeywords = ["x"]', /rule my rule, line 1: /],
    ['[[rules]]\nid = "acme"\nregex = "x{3}"\nkeywords = ["x"]\nentropy = 20', /rule acme, line 1: /],
  ])('a broken file is exit 2, with rule and line: %j', (toml, message) => {
    const { code, stdout, stderr } = kirotrail([evidence, '--secret-rules', write('acme.toml', toml)]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^kirotrail: --secret-rules [^\n]+\n$/);
    expect(code).toBe(2);
    expect(stdout.toString()).toBe('');
  });

  it('a file that is not there is exit 2, and leaves no output behind', () => {
    const out = path('out.csv');
    const { code, stderr } = kirotrail([evidence, '-o', out, '--secret-rules', path('nowhere.toml')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^kirotrail: --secret-rules: cannot read .*nowhere\.toml \(ENOENT\)\n$/);
    expect(() => statSync(out)).toThrow('ENOENT');
  });
});

interface Log {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
    readonly columnKind: string;
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region?: { readonly startLine: number };
        };
        readonly logicalLocations: readonly { readonly fullyQualifiedName: string; readonly kind: string }[];
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}

describe('--secrets-sarif', () => {
  const home = path('home');
  writeFileDeep(join(home, 'exports/a b#c%.json'), saveExport('c', [[`push with ${GITHUB}`, `bot ${SLACK}`]]));
  writeFileDeep(join(home, '.aws/amazonq/mcp.json'), JSON.stringify({ mcpServers: { x: { env: { API_TOKEN: PASSWORD } } } }));
  const sarif = path('found.sarif');
  const call = kirotrail([home, '-q', '-o', path('out.jsonl'), '--secrets-sarif', sarif]);
  const text = readFileSync(sarif, 'utf8');

  // The members that the schema of SARIF 2.1.0 requires, and those whose values it limits (OASIS, 3.13 to 3.29).
  it('has the members and values that SARIF 2.1.0 asks for', () => {
    expect(call.code).toBe(0);
    const log: Log = JSON.parse(text);
    expect(Object.keys(log)).toEqual(['$schema', 'version', 'runs']);
    expect(log.version).toBe('2.1.0');
    expect(() => new URL(log.$schema)).not.toThrow();
    expect(log.runs).toHaveLength(1);
    const [run] = log.runs;
    if (!run) throw new Error('no run');
    const { driver } = run.tool;
    expect(driver.name).toBe('kirotrail');
    expect(new Set(driver.rules.map(({ id }) => id)).size).toBe(driver.rules.length);
    expect(['utf16CodeUnits', 'unicodeCodePoints']).toContain(run.columnKind);
    expect(run.results).toHaveLength(3);
    for (const result of run.results) {
      expect(driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
      expect(['none', 'note', 'warning', 'error']).toContain(result.level);
      expect(result.message.text).not.toBe('');
      for (const { physicalLocation, logicalLocations } of result.locations) {
        const { uri } = physicalLocation.artifactLocation;
        expect(uri).toMatch(/^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})+$/);
        expect(['exports/a b#c%.json', '.aws/amazonq/mcp.json']).toContain(decodeURIComponent(uri));
        if (physicalLocation.region) expect(physicalLocation.region.startLine).toBeGreaterThan(0);
        expect(logicalLocations[0]?.fullyQualifiedName).toMatch(/^[0-9a-f]{16}\//);
      }
      for (const value of Object.values(result.partialFingerprints)) expect(typeof value).toBe('string');
    }
  });

  it('is valid by the schema of SARIF, which refuses what is none', () => {
    const log = JSON.parse(text);
    expect(sarifFaults(log)).toEqual([]);
    const [run] = log.runs;
    const [result] = run.results;
    const broken = (changes: object) => sarifFaults({ ...log, runs: [{ ...run, results: [{ ...result, ...changes }] }] });
    expect(broken({ level: 'fatal' })).toEqual(['/runs/0/results/0/level must be equal to one of the allowed values']);
    expect(broken({ message: {} }).join()).toContain('/runs/0/results/0/message');
    expect(broken({ colour: 'red' })).toEqual(['/runs/0/results/0 must NOT have additional properties']);
    expect(broken({ locations: [{ physicalLocation: { artifactLocation: { uri: 'a b' } } }] }).join()).toContain(
      'must match format "uri-reference"',
    );
    expect(sarifFaults({ ...log, version: '2.0.0' })).toEqual(['/version must be equal to one of the allowed values']);
  });

  it('holds no value, is private, and replaces nothing unless told to', () => {
    for (const value of [GITHUB, SLACK, PASSWORD]) expect(text).not.toContain(value);
    expect(statSync(sarif).mode & 0o777).toBe(0o600);
    const again = kirotrail([home, '-q', '-o', path('out.jsonl'), '--secrets-sarif', sarif]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('output exists');
  });

  it('is valid with no finding at all', () => {
    const none = path('none.sarif');
    expect(kirotrail([chat('hello'), '-q', '-o', path('out.csv'), '--secrets-sarif', none]).code).toBe(0);
    expect(sarifFaults(JSON.parse(readFileSync(none, 'utf8')))).toEqual([]);
    expect(JSON.parse(readFileSync(none, 'utf8'))).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { rules: [] } }, results: [] }],
    });
  });
});

describe('--secrets show', () => {
  const evidence = chat(`push with ${GITHUB}`);
  it('warns on standard error, also when quiet, and the output is private', () => {
    const out = path('out.csv');
    const { code, stderr } = kirotrail([evidence, '-q', '-o', out, '--secrets', 'show']);
    expect(code).toBe(0);
    expect(stderr).toBe('warning: the output holds secrets as stored (--secrets show)\n');
    expect(readFileSync(out, 'utf8')).toContain(GITHUB);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(kirotrail([evidence, '-q']).stderr).toBe('');
  });
});

describe('duplicates', () => {
  it('are found by the stored text, whatever is masked of it', () => {
    const home = path('home');
    for (const name of ['a', 'b'])
      writeFileDeep(join(home, `exports/${name}.json`), saveExport('same', [[`push with ${GITHUB}`, `saw ${SLACK}`]]));
    writeFileDeep(join(home, '.aws/amazonq/.cli_bash_history'), `#V2\npush with ${GITHUB}\n`);
    const pairs = (...more: readonly string[]) => rows(home, ...more).map(({ row_id, duplicate_of }) => [row_id, duplicate_of]);
    const shown = pairs('--secrets', 'show');
    // of the copy its session, prompt and answer; of the prompt history its line
    expect(shown.filter(([, primary]) => primary !== '').length).toBe(4);
    expect(pairs()).toEqual(shown);
    expect(pairs('--no-duplicates').length).toBe(shown.length - 4);
    // texts that differ in their secrets only look alike when masked, and are not the same
    const two = path('two');
    writeFileSync(writeFileDeep(join(two, 'a.json'), ''), saveExport('x', [[`push with ${GITHUB}`, 'ok']]));
    writeFileSync(writeFileDeep(join(two, 'b.json'), ''), saveExport('x', [[`push with ${made(307, 36, 'gh', 'p_')}`, 'ok']]));
    expect(rows(two).filter(({ row_type, duplicate_of }) => row_type === 'prompt' && duplicate_of !== '')).toEqual([]);
  });
});

describe('a value found once', () => {
  const password = 'c0rrect-H0rse';
  it('is masked where it only looks as if it began within an escape sequence, and the line stays JSON', () => {
    const secret = 'newSecret-7x';
    const evidence = chat(
      `password: "${secret}"`,
      `first\n${secret.slice(1)} and C:\\dir\\${secret}`,
      JSON.stringify({ a: `x\n${secret.slice(1)}` }),
    );
    for (const row of rows(evidence)
      .filter(({ row_type }) => row_type === 'prompt')
      .slice(1)) {
      expect(row.text).not.toContain(`dir\\${secret}`);
      if (row.text.startsWith('{')) expect(() => JSON.parse(row.text)).not.toThrow();
    }
  });

  it('that was stored with its quotes takes no quote of JSON with it', () => {
    const mcp = { mcpServers: { x: { env: { API_TOKEN: `"${password}"` }, args: [password, `say ${password}`] } } };
    const home = path('home');
    writeFileDeep(join(home, '.aws/amazonq/mcp.json'), JSON.stringify(mcp));
    const [row] = rows(home);
    expect(JSON.stringify(row)).not.toContain(password);
    expect(JSON.stringify(row?.details['args'])).toMatch(/^\["\[REDACTED:mcp-env:\w{8}\]","say \[REDACTED:mcp-env:\w{8}\]"\]$/);
  });

  it('is masked in names of files that no row is made from, and in the call as the manifest holds it', () => {
    const home = path('home');
    writeFileDeep(join(home, '.local/share/amazon-q', `${GITHUB}.bin`), 'x');
    writeFileDeep(join(home, 'exports/chat.json'), saveExport('c', [['hello', 'hi']]));
    const out = path('out.csv');
    const { stderr } = kirotrail([home, '-o', out, '--host', SLACK]);
    const manifest = readFileSync(`${out}.manifest.json`, 'utf8');
    expect(manifest).toMatch(/\[REDACTED:github-token:\w{8}\]\.bin/);
    for (const value of [GITHUB, SLACK]) expect(manifest + stderr).not.toContain(value);
    expect(manifestOf(`${out}.manifest.json`).inputs).toHaveLength(1);
  });
});
