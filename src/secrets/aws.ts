const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The account an access key id belongs to: the 16 characters behind the prefix are base32; the upper six bytes, masked and
 * shifted by seven, are the account number (Tal Be'ery, "A short note on AWS KEY ID", 2023; holds for ids issued since 2019,
 * whose fifth character is in the upper half of the alphabet). Undefined for older ids, whose number would be made up.
 */
export function awsAccount(keyId: string): string | undefined {
  const body = keyId.slice(4);
  if (body.length !== 16 || BASE32.indexOf(body.charAt(0)) < 16) return undefined;
  let bits = 0n;
  for (const char of body.slice(0, 10)) {
    const value = BASE32.indexOf(char);
    if (value < 0) return undefined;
    bits = (bits << 5n) | BigInt(value);
  }
  const upper = bits >> 2n; // ten characters are 50 bits; six bytes are wanted
  return ((upper & 0x7fffffffff80n) >> 7n).toString().padStart(12, '0');
}
