/** Long texts of each kind, from which pieces are cut: much faster than inventing each piece. */
import type { Random } from './random.js';
import { anyText, code, log, markdown, prose } from './text.js';

export const POOL = 400_000;

export type Pools = Record<'prose' | 'markdown' | 'code' | 'log' | 'any' | 'base64', string>;

export function makePools(random: Random): Pools {
  return {
    prose: prose(random, POOL),
    markdown: markdown(random, POOL),
    code: code(random, POOL),
    log: log(random, POOL),
    any: anyText(random, POOL),
    base64: Buffer.from(random.hex(POOL), 'hex').toString('base64'),
  };
}

/** A piece of at most that many characters, short ones more often than long ones. */
export function cutFrom(random: Random, pool: string, most: number): string {
  const length = random.logInt(Math.ceil(most / 60), most);
  const start = random.int(0, Math.max(0, pool.length - length));
  return pool.slice(start, start + length);
}
