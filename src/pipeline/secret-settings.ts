import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { catalogDocuments } from '../catalog/documents.js';
import type { Collected } from '../collect/collection.js';
import { sampleDigest } from '../evidence/sample.js';
import { parseRules, type RuleSet, RulesError, type SecretConfidence, translateGitleaks } from '../secrets/index.js';
import { UsageError } from '../write/usage-error.js';
import type { SecretOptions, SecretPolicy } from './options.js';

/** How secrets are looked for, as plain data with rules and key read: what every thread needs. */
export interface SecretSettings {
  readonly policy: SecretPolicy;
  readonly least: SecretConfidence;
  readonly documents: readonly unknown[];
  readonly key: Uint8Array;
  /** Keep each finding with its row, for SARIF. */
  readonly locate: boolean;
}

export interface ReadySecrets {
  readonly settings: SecretSettings;
  readonly rulesVersion: string;
  /** Rules of the file given with the call that could not be translated. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Rules of the catalog. */
export function catalogRules(): unknown[] {
  return [...catalogDocuments()].filter(([name]) => name.startsWith('secrets')).map(([, document]) => document);
}

const made = new WeakMap<readonly unknown[], RuleSet>();

/** The rules of a run, which are made ready once in each thread. */
export function rulesOf(documents: readonly unknown[]): RuleSet {
  const known = made.get(documents) ?? parseRules(documents);
  made.set(documents, known);
  return known;
}

/** Reads rules and key. A rule file that cannot be read is a fault of the call. */
export function readySecrets(options: SecretOptions, artifacts: readonly Collected[], stdin: Buffer | undefined): ReadySecrets {
  const { policy, least } = options;
  if (policy === 'off')
    return { settings: { policy, least, documents: [], key: new Uint8Array(), locate: false }, rulesVersion: '', refused: [] };
  const own = options.rulesFile === undefined ? undefined : translated(options.rulesFile);
  const documents = [...catalogRules(), ...(own === undefined ? [] : [own.document])];
  try {
    const { version } = rulesOf(documents);
    const key = options.keyFile === undefined ? evidenceKey(artifacts, stdin) : keyOf(options.keyFile);
    return {
      settings: { policy, least, documents, key, locate: options.sarif !== undefined },
      rulesVersion: version,
      refused: own?.refused ?? [],
    };
  } catch (error) {
    throw error instanceof RulesError ? new UsageError(`secret rules: ${error.message}`) : error;
  }
}

function translated(file: string) {
  try {
    return translateGitleaks(readGiven(file, '--secret-rules').toString('utf8'));
  } catch (error) {
    throw error instanceof RulesError ? new UsageError(`--secret-rules ${file}: ${error.message}`) : error;
  }
}

function readGiven(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file} (${error instanceof Error && 'code' in error ? String(error.code) : 'error'})`);
  }
}

const LABEL = 'kirotrail fingerprint key 1';

function keyOf(file: string): Uint8Array {
  const bytes = readGiven(file, '--fingerprint-key');
  if (bytes.length < 16) throw new UsageError(`--fingerprint-key: ${file} holds fewer than 16 bytes`);
  return createHash('sha256').update(LABEL).update(bytes).digest();
}

/**
 * A key made from the evidence: the same evidence gives the same marks, and who has only the output cannot make it (a plain
 * hash of a short password could be guessed). Samples of each file serve, in the order of their digests, wherever they lie.
 */
function evidenceKey(artifacts: readonly Collected[], stdin: Buffer | undefined): Uint8Array {
  const digests = artifacts.map(({ path }) => sampleDigest(path, LABEL)).sort();
  const hash = createHash('sha256').update(LABEL).update(digests.join(''));
  return (stdin === undefined ? hash : hash.update(stdin)).digest();
}
