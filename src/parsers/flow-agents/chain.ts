import { createHash } from 'node:crypto';
import { compact, isObject, type JsonObject } from '../../evidence/json.js';

// `_chain: {seq, prevHash, hash}`: hash = SHA-256 of prevHash and the compact JSON of the record without `_chain`, its top-level
// keys sorted. It shows that a line was changed, removed or put in; it hinders nobody who computes it anew.
// Source: kontourai/flow-agents, scripts/lib/command-log-chain.js. The first prevHash is a constant of 63 characters.
const FIRST = 'a3f9e2b7d5c84f1e6a0d2c3b9f7e1a4d8c6b5f2e9a0d3c7b1f4e8a2d6c0b9f3';

export interface ChainVerdict {
  /** `legacy`: no line has a chain. `forked`: two records follow one; the two writers of the program can do that. */
  readonly verdict: 'legacy' | 'ok' | 'forked' | 'broken';
  readonly records: number;
  readonly legacy: number;
  /** First lines that do not hold. */
  readonly lines: readonly number[];
  readonly problem: string;
}

const MOST_LINES = 20;

export class Chain {
  private readonly known = new Set([FIRST]);
  private readonly parents = new Set<string>();
  private readonly broken: number[] = [];
  private readonly forks: number[] = [];
  private records = 0;
  private legacy = 0;

  /** Takes the next record; returns what is wrong with it, or an empty text. */
  add(record: JsonObject, line: number): string {
    const { _chain: chain, ...rest } = record;
    if (!isObject(chain) || typeof chain.prevHash !== 'string' || typeof chain.hash !== 'string') return this.unchained(line);
    this.records += 1;
    const { prevHash, hash } = chain;
    const forked = this.parents.has(prevHash);
    const linked = this.known.has(prevHash);
    this.parents.add(prevHash);
    this.known.add(hash);
    if (forked) this.forks.push(line);
    if (hashOf(prevHash, rest) !== hash) return this.fault(line, 'chain: the record is not the one its hash was made of');
    return linked ? '' : this.fault(line, 'chain: the record it follows is not there');
  }

  unreadable(line: number): void {
    if (this.records > 0) this.broken.push(line);
  }

  private unchained(line: number): string {
    this.legacy += 1;
    return this.records > 0 ? this.fault(line, 'chain: a record without a chain stands behind chained ones') : '';
  }

  private fault(line: number, what: string): string {
    this.broken.push(line);
    return what;
  }

  verdict(): ChainVerdict {
    const { records, legacy, broken, forks } = this;
    const verdict = broken.length > 0 ? 'broken' : records === 0 ? 'legacy' : forks.length > 0 ? 'forked' : 'ok';
    const lines = (verdict === 'broken' ? broken : forks).slice(0, MOST_LINES);
    const problem = verdict === 'broken' ? `the chain is broken at line ${broken[0] ?? 0}: records were changed, removed or put in` : '';
    return { verdict, records, legacy, lines, problem };
  }
}

function hashOf(prevHash: string, record: JsonObject): string {
  const keys = Object.keys(record).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const sorted = Object.fromEntries(keys.map((key) => [key, record[key]]));
  return createHash('sha256')
    .update(`${prevHash}${compact(sorted)}`)
    .digest('hex');
}
