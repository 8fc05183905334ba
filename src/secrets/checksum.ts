const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i += 1) crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A number in base 62 with the digits 0-9, A-Z, a-z, left-padded with 0 to six. */
export function base62(number: number): string {
  let digits = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) digits = (BASE62[rest % 62] ?? '') + digits;
  return digits.padStart(6, '0');
}

/**
 * GitHub tokens (and classic npm tokens, which are of the same make) end in the CRC-32 of the thirty characters before,
 * in base 62 (github.blog, "Behind GitHub's new authentication token formats", 2021-04-05).
 * Only the classic length carries it; newer server tokens are longer.
 */
export function githubChecksum(token: string): 'valid' | 'invalid' | 'none' {
  const body = token.slice(token.indexOf('_') + 1);
  if (body.length !== 36) return 'none';
  return base62(crc32(body.slice(0, 30))) === body.slice(30) ? 'valid' : 'invalid';
}

/** The check digit of payment cards (ISO/IEC 7812-1). */
export function luhn(text: string): boolean {
  let sum = 0;
  let double = false;
  for (let i = text.length - 1; i >= 0; i -= 1) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) continue;
    const part = double ? digit * 2 : digit;
    sum += part > 9 ? part - 9 : part;
    double = !double;
  }
  return sum % 10 === 0;
}
