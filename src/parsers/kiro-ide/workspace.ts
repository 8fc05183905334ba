import { sha256Of } from '../../evidence/sha256.js';

// How the IDE names what belongs to a workspace. Formulas: read in the extension bundle by others, and recomputed on known pairs
// (SHA-256 of the path as it is; the folder of sessions is URL-safe base64 whose padding is written `_`).

/** First 32 hex digits of SHA-256. */
export function hash32(text: string): string {
  return sha256Of(text).slice(0, 32);
}

/** Name of the folder of execution logs. */
export const SAVES = hash32('KIRO::EXECUTION::SAVES');
/** Name of the list of executions. */
export const CATALOGUE = hash32('KIRO::EXECUTION::METADATA');

// A path holds none of these, so that their presence tells a wrong reading.
const CONTROL = /[\u0000-\u001f\u007f\ufffd]/;

/** The workspace path a folder of sessions is named after; undefined for a name that is not such an encoding. */
export function decodeWorkspace(name: string): string | undefined {
  // `_` is padding and also the digit 63: as padding it is far more likely, so that reading comes first.
  for (const padding of [2, 1, 0]) {
    if (!name.endsWith('_'.repeat(padding))) continue;
    const path = decode(name.slice(0, name.length - padding), padding);
    if (path !== undefined) return path;
  }
  return undefined;
}

function decode(body: string, padding: number): string | undefined {
  if (!/^[A-Za-z0-9_+/-]+$/.test(body) || (body.length + padding) % 4 !== 0) return undefined;
  const bytes = Buffer.from(body, 'base64');
  const path = bytes.toString('utf8');
  const again = bytes.toString('base64url');
  if (CONTROL.test(path) || again !== body.replaceAll('+', '-').replaceAll('/', '_')) return undefined;
  return path;
}

/** Name of the folder of sessions of a workspace. */
export function encodeWorkspace(path: string): string {
  return Buffer.from(path, 'utf8').toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '_');
}

const MOST_TRIES = 2000;

/** Tells which of many paths, or of the folders above them, is the workspace that an id stands for. */
export class WorkspaceFinder {
  private readonly tried = new Set<string>();
  found = '';

  constructor(private readonly id: string) {}

  get open(): boolean {
    return this.id !== '' && this.found === '' && this.tried.size < MOST_TRIES;
  }

  /** Tries a path as it is (it may be a workspace) and each folder above it. */
  offer(path: string): void {
    if (path.length > 4096) return;
    const parts = path.split(/([\\/])/);
    for (let end = parts.length; end > 0 && this.open; end -= 2) this.attempt(parts.slice(0, end).join(''));
  }

  private attempt(path: string): void {
    if (path === '' || this.tried.has(path)) return;
    this.tried.add(path);
    for (const variant of variants(path)) if (hash32(variant) === this.id) this.found ||= variant;
  }
}

/** A drive is written in either case, and separators in either form, by different parts of the program. */
function variants(path: string): string[] {
  if (!/^[A-Za-z]:/.test(path)) return [path];
  const drives = [path, path[0]?.toLowerCase() + path.slice(1), path[0]?.toUpperCase() + path.slice(1)];
  return [...new Set(drives.flatMap((drive) => [drive, drive.replaceAll('/', '\\'), drive.replaceAll('\\', '/')]))];
}

/** Empty when a path hashes to the id, or when there is nothing to compare. */
export function idProblem(id: string, path: string): string {
  if (id === '' || path === '') return '';
  return variants(path).some((variant) => hash32(variant) === id) ? '' : 'the workspace id does not match the recorded path';
}

/** What is wrong with the name of a folder of sessions, given the path that a file in it records. */
export function folderProblem(encoded: string, recorded: string): string {
  if (encoded === '') return '';
  const decoded = decodeWorkspace(encoded);
  if (decoded === undefined) return `the folder name is not an encoded path: ${encoded.slice(0, 200)}`;
  return recorded !== '' && decoded !== recorded ? `the folder is named after another path: ${decoded}` : '';
}
