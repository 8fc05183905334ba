/** One block of the page: base64 of raw-deflated bytes, held against the length and the CRC that the writer put beside it. */
import { crc32 } from './crc32.js';
import type { Block } from './protocol.js';

export class BrokenBlock extends Error {}

export async function inflateBlock(block: Block): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await inflated(unpacked(block));
  if (bytes.length !== block.bytes || crc32(bytes) !== block.crc) throw new BrokenBlock('it is not as it was written');
  return bytes;
}

declare global {
  interface Uint8ArrayConstructor {
    /** Where the browser has it: several times as fast. */
    fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
  }
}

export function unpacked({ data: base64 }: Block): Uint8Array<ArrayBuffer> {
  try {
    if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(base64);
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    throw new BrokenBlock('it is cut short or holds foreign characters');
  }
}

export async function inflated(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new BrokenBlock('it is cut short or was changed');
  }
}
