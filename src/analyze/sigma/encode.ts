/** Bytes of a text in the two encodings that rules look for inside of Base64. */
export function bytesOf(text: string, wide: boolean): Buffer {
  return Buffer.from(text, wide ? 'utf16le' : 'utf8');
}

// By the number of bytes ahead: characters at the start that those bytes have a share in.
const HEAD = [0, 2, 3] as const;
// By the number of bytes that the last group of three is filled with: characters at the end that what follows has a share in.
const TAIL = [0, 3, 2] as const;

/** What is sure to stand in the Base64 of a text that holds these bytes somewhere: one form for each place in a group of three. */
export function base64Offsets(bytes: Buffer): string[] {
  return HEAD.flatMap((head, before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const tail = TAIL[(before + bytes.length) % 3] ?? 0;
    const sure = encoded.slice(head, encoded.length - tail);
    return sure === '' ? [] : [sure];
  });
}
