import { isObject, type JsonObject } from '../../evidence/json.js';
import { sha256Of } from '../../evidence/sha256.js';

// Images and documents lie in the log as base64 texts of megabytes. A row carries their type, size and hash.

const BASE64 = /^(?:data:[^,;]{0,100}(?:;[^,;]{0,100}){0,4},)?([A-Za-z0-9+/_-]*={0,2})$/;

/** Attachments with the size and hash of their bytes in the place of the bytes; all other members as they are. */
export function attachments(stored: readonly unknown[]): unknown[] {
  return stored.map(attachment);
}

function attachment(stored: unknown): unknown {
  if (!isObject(stored) || typeof stored.data !== 'string') return stored;
  const { data, ...others } = stored;
  return { ...others, ...digest(data) };
}

function digest(data: string): JsonObject {
  const encoded = BASE64.exec(data)?.[1];
  const bytes = Buffer.from(encoded ?? data, encoded === undefined ? 'utf8' : 'base64');
  const shown = { size: bytes.length, sha256: sha256Of(bytes) };
  return encoded === undefined ? { ...shown, note: 'not base64: size and hash of the text' } : shown;
}

/** Text of a content: a string, or a list of blocks; what is no text block is given back beside it. */
export function contentText(content: unknown): { readonly text: string; readonly others: unknown[] } {
  if (typeof content === 'string') return { text: content, others: [] };
  if (content === undefined || content === null) return { text: '', others: [] };
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const parts: string[] = [];
  const others: unknown[] = [];
  for (const block of blocks) {
    const text = textBlock(block);
    if (text === undefined) others.push(attachment(block));
    else parts.push(text);
  }
  return { text: parts.join('\n'), others };
}

/** The text of a `{type: "text", text}` block or of a bare string; undefined when the block holds anything else. */
function textBlock(block: unknown): string | undefined {
  if (typeof block === 'string') return block;
  if (!isObject(block) || typeof block.text !== 'string') return undefined;
  return Object.keys(block).every((key) => key === 'text' || (key === 'type' && block.type === 'text')) ? block.text : undefined;
}
