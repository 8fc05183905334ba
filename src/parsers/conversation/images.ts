import { isObject, type JsonObject } from '../../evidence/json.js';
import { sha256Of } from '../../evidence/sha256.js';

/**
 * Type, size and hash of the images of a message. The bytes are stored as an array of numbers
 * (crates/chat-cli/src/api_client/model.rs, ImageSource) and never reach a row.
 */
export function imageDetails(images: readonly unknown[] | null | undefined): JsonObject {
  if (!images || images.length === 0) return {};
  return { images: images.map(describe) };
}

function describe(image: unknown): JsonObject {
  if (!isObject(image)) return { problem: 'image of unexpected shape' };
  const format = typeof image.format === 'string' ? image.format : '';
  const source = image.source;
  if (!isObject(source) || !Array.isArray(source.Bytes))
    return { format, source: typeof source === 'string' ? source : 'unexpected shape' };
  const bytes = Buffer.alloc(source.Bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const value: unknown = source.Bytes[i];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255)
      return { format, problem: 'image bytes of unexpected shape' };
    bytes[i] = value;
  }
  return { format, size: bytes.length, sha256: sha256Of(bytes) };
}
