import { isObject } from '../../evidence/json.js';
import { sha256Of } from '../../evidence/sha256.js';

// Pictures lie in sessions as base64 texts of megabytes. A row carries their type, size and hash.

const DATA_URL = /^data:([^,;]{0,100})(?:;[^,;]{0,100}){0,4},/;
/** Members that hold bytes as bare base64: anywhere else such a text may be what a person pasted. */
const BYTES = new Set(['data', 'bytes', 'base64']);
const LEAST = 1024;
const SHORTEST = 64;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** The value, in place, with a note of type, size and hash instead of each data URL and each long base64 text of bytes. */
export function withoutData(root: unknown): unknown {
  if (typeof root === 'string') return root;
  const open: object[] = typeof root === 'object' && root !== null ? [root] : [];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) for (let i = 0; i < holder.length; i++) look(holder, String(i), holder[i], open);
    else if (isObject(holder)) for (const key in holder) look(holder, key, holder[key], open);
  }
  return root;
}

function look(holder: object, key: string, value: unknown, open: object[]): void {
  if (typeof value === 'object') {
    if (value !== null) open.push(value);
    return;
  }
  if (typeof value !== 'string' || value.length < SHORTEST) return;
  const note = digest(value, BYTES.has(key.toLowerCase()));
  if (note !== undefined) Object.defineProperty(holder, key, { value: note, enumerable: true, configurable: true, writable: true });
}

function digest(text: string, isBytes: boolean): string | undefined {
  const url = text.startsWith('data:') ? DATA_URL.exec(text.slice(0, 600)) : null;
  if (url === null && (!isBytes || text.length < LEAST || !BASE64.test(text.slice(0, LEAST)) || !BASE64.test(text))) return undefined;
  const encoded = url === null ? text : text.slice(url[0].length);
  const bytes = Buffer.from(encoded, 'base64');
  const type = url?.[1] || 'base64 data';
  return `[${type}, ${bytes.length} bytes, sha256=${sha256Of(bytes)}]`;
}
