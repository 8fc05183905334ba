import type { Runs } from './charset.js';
import { entropy } from './values.js';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The account an access key id belongs to: the 16 characters behind the prefix are base32; the upper six bytes, masked and
 * shifted by seven, are the account number (Tal Be'ery, "A short note on AWS KEY ID", 2023; holds for ids issued since 2019,
 * whose fifth character is in the upper half of the alphabet). Undefined for older ids, whose number would be made up.
 */
export function awsAccount(keyId: string): string | undefined {
  const body = keyId.slice(4);
  if (body.length !== 16 || BASE32.indexOf(body.charAt(0)) < 16) return undefined;
  let bits = 0;
  for (let i = 0; i < 10; i += 1) {
    const value = BASE32.indexOf(body.charAt(i));
    if (value < 0) return undefined;
    bits = bits * 32 + value;
  }
  // ten characters are 50 bits, exact in a double: without the lower two they are the six bytes, of which the top bit is no part
  const account = Math.floor(bits / 2 ** (2 + 7)) % 2 ** 40;
  return account.toString().padStart(12, '0');
}

const PAIR_WINDOW = 160;
const SECRET_SIZE = 40;

/** A secret access key that stands behind its id without a name, as in the CSV file of the console: 40 characters of base64. */
export function secretBehind(text: string, from: number, runs: Runs): readonly [number, number] | undefined {
  const most = Math.min(text.length, from + PAIR_WINDOW);
  for (let at = from; at < most; ) {
    const end = runs('base64', at);
    if (end - at === SECRET_SIZE && isRandom(text.slice(at, end))) return [at, end];
    at = Math.max(end, at + 1);
  }
  return undefined;
}

/** Lower, upper and digits, evenly: no path, no hash in hex. */
function isRandom(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9]/.test(value) && entropy(value) >= 4.2;
}
