import { sha256Of } from '../../evidence/sha256.js';

// Pictures lie in sessions as base64 texts of megabytes. A row carries their type, size and hash.

const DATA_URL = /^data:([^,;]{0,100})(?:;[^,;]{0,100}){0,4},/;
/** Members that hold bytes as bare base64: anywhere else such a text may be what a person pasted. */
const BYTES = new Set(['data', 'bytes', 'base64']);
const LEAST = 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** The value, in place, with a note of type, size and hash instead of each data URL and each long base64 text of bytes. */
export function withoutData(root: unknown): unknown {
  if (typeof root === 'string') return root;
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (typeof child === 'object' && child !== null) open.push(child);
      const note = typeof child === 'string' ? digest(child, BYTES.has(key.toLowerCase())) : undefined;
      if (note !== undefined) Object.defineProperty(value, key, { value: note, enumerable: true, configurable: true, writable: true });
    }
  }
  return root;
}

function digest(text: string, isBytes: boolean): string | undefined {
  if (text.length < 64) return undefined;
  const url = DATA_URL.exec(text.slice(0, 600));
  if (url === null && (!isBytes || text.length < LEAST || !BASE64.test(text.slice(0, LEAST)) || !BASE64.test(text))) return undefined;
  const encoded = url === null ? text : text.slice(url[0].length);
  const bytes = Buffer.from(encoded, 'base64');
  const type = url?.[1] || 'base64 data';
  return `[${type}, ${bytes.length} bytes, sha256=${sha256Of(bytes)}]`;
}
