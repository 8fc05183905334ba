import { isAscii, isUtf8, transcode } from 'node:buffer';

const LEAST_WIDE = 2048;

/**
 * Decodes UTF-8, without a leading byte order mark. Bytes that are not valid become U+FFFD and `valid` is false,
 * so that the caller can say so; nothing is dropped.
 */
export function decodeUtf8(bytes: Buffer): { readonly text: string; readonly valid: boolean } {
  const bom = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const valid = isUtf8(bytes);
  const from = bom ? 3 : 0;
  // By way of UTF-16 a longer text that is not all ASCII is decoded in half the time.
  const wide = valid && bytes.length > LEAST_WIDE && typeof transcode === 'function' && !isAscii(bytes);
  return { text: wide ? transcode(bytes.subarray(from), 'utf8', 'utf16le').toString('utf16le') : bytes.toString('utf8', from), valid };
}

const ANSI = /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)?|[@-_])/g;

/** Text without terminal control sequences (CSI, OSC, two-character escapes). Every quantifier is bounded. */
export function stripAnsi(text: string): string {
  return text.includes('\u001b') ? text.replace(ANSI, '') : text;
}
