import { isObject, type JsonObject } from '../../evidence/json.js';
import { sha256Of } from '../../evidence/sha256.js';

// No real image block has been seen. The open-source ancestor stores the bytes as an array of numbers (aws/amazon-q-developer-cli:
// crates/agent), a public reader documents base64 (BoosterY/kiro-session). The bytes never reach a row.

const BYTE_KEYS = new Set(['bytes', 'Bytes', 'data']);

/** Type, size and hash of an image, and whatever else stands beside its bytes. */
export function imageInfo(data: unknown): JsonObject {
  if (!isObject(data)) return { ...digest(bytesOf(data)), ...(data === undefined ? { problem: 'image without data' } : {}) };
  const { source, ...own } = data;
  const inner = isObject(source) ? source : source === undefined ? {} : { data: source };
  const bytes = [...Object.entries(inner), ...Object.entries(own)].find(([key]) => BYTE_KEYS.has(key))?.[1];
  const rest = (part: JsonObject) => Object.fromEntries(Object.entries(part).filter(([key]) => !BYTE_KEYS.has(key)));
  const described = rest(inner);
  return { ...rest(own), ...(Object.keys(described).length > 0 ? { source: described } : {}), ...digest(bytesOf(bytes)) };
}

function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value === 'string') return Buffer.from(value.replace(/^data:[^,]{0,200},/, ''), 'base64');
  if (!Array.isArray(value)) return undefined;
  const bytes = Buffer.alloc(value.length);
  for (let i = 0; i < bytes.length; i++) {
    const byte: unknown = value[i];
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}

function digest(bytes: Buffer | undefined): JsonObject {
  if (bytes === undefined) return { problem: 'image bytes of unexpected shape' };
  return { size: bytes.length, sha256: sha256Of(bytes) };
}
