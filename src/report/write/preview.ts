import type { Row } from '../../rows/row.js';
import { PREVIEW } from '../format.js';

/** Arguments that say most of a call, best first; names as the tools of the known agents use them. */
const TELLING = ['path', 'file_path', 'file', 'query', 'pattern', 'url', 'regex', 'search', 'task', 'prompt', 'name', 'id', 'key'];
/** Longer arguments are not taken apart for a line of 200 characters. */
const LONGEST_ARGUMENTS = 1 << 16;

/** What a list shows of a call without a command: the path it names, else its query. Cut, never in half a character. */
export function previewOf(row: Row): string {
  if (row.row_type !== 'tool_use' || row.command !== '') return '';
  const found = row.file_paths.find((path) => typeof path === 'string' && path !== '') ?? tellingArgument(row.text);
  return cut(found, PREVIEW);
}

function tellingArgument(text: string): string {
  if (!text.startsWith('{') || text.length > LONGEST_ARGUMENTS) return '';
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return '';
  }
  if (typeof values !== 'object' || values === null) return '';
  const named = new Map<string, unknown>(Object.entries(values));
  for (const name of TELLING) {
    const value = named.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** The first characters of a text; one that takes two units is kept or left whole. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}
