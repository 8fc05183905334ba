import { openRegular, readFully } from '../evidence/open.js';
import { type Entry, list } from './walk.js';

// The variable KIRO_HOME names a folder that stands for `.kiro` itself: agents, settings, steering and sessions lie directly in
// it, under whatever name it has. What lies in it proves that it is one; folders of these names alone prove nothing.

const HEAD = 64 << 10;
/** Names that no other program is known to use, with what they hold. */
const OWN = new Map([
  ['session-index', /\.jsonl$/i],
  ['spec-sessions', /^(?:_global|[0-9a-f]{16})\.json$/i],
  ['workspace-roots', /^[0-9a-f]{16}$/i],
]);
const BUCKET = /^(?:_global|[0-9a-f]{16})$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const SESSION = /^(?:sess_|cli_)./i;
/** A settings file of Kiro CLI is a flat object of such keys. */
const SETTING = /"(?:chat|mcp|api|compaction|toolSearch|introspect|telemetry)\.[\w.]{1,60}"\s*:/;
const SERVERS = /"mcpServers"\s*:\s*\{/;
const RULES = /^rules\s*:|^\s*-\s*capability\s*:|"capability"\s*:/m;
/** Folders that lie beside the settings. */
const BESIDE = new Set(['agents', 'steering', 'hooks', 'sessions', 'prompts', 'skills', 'powers']);

/** True for a folder of these entries that is Kiro's home under another name. */
export function isKiroHome(name: string, entries: readonly Entry[]): boolean {
  if (name === '.kiro') return false;
  const folders = new Map(entries.filter(({ kind }) => kind === 'folder').map((entry) => [entry.name.toLowerCase(), entry]));
  if ([...OWN].some(([own, holds]) => inside(folders.get(own)).some((entry) => holds.test(entry.name)))) return true;
  const settings = inside(folders.get('settings'));
  if (settings.length > 0 && [...BESIDE].some((beside) => folders.has(beside)) && isSettings(settings)) return true;
  return inside(folders.get('sessions')).some(holdsSession);
}

function inside(entry: Entry | undefined): readonly Entry[] {
  const entries = entry === undefined ? [] : list(entry.path);
  return 'fault' in entries ? [] : entries;
}

function holdsSession(entry: Entry): boolean {
  if (entry.kind !== 'folder') return false;
  if (entry.name.toLowerCase() === 'cli') {
    return inside(entry).some(({ name }) => UUID.test(name) && /\.(?:jsonl?|history|lock)$/i.test(name));
  }
  return BUCKET.test(entry.name) && inside(entry).some(({ name, kind }) => kind === 'folder' && (SESSION.test(name) || UUID.test(name)));
}

function isSettings(files: readonly Entry[]): boolean {
  return files.some(({ name, path, kind }) => {
    if (kind !== 'file') return false;
    switch (name.toLowerCase()) {
      case 'cli.json':
        return SETTING.test(headOf(path));
      case 'mcp.json':
        return SERVERS.test(headOf(path));
      case 'permissions.yaml':
      case 'permissions.json':
        return RULES.test(headOf(path));
      default:
        return false;
    }
  });
}

/** What cannot be read proves nothing; it is said where the file itself is taken. */
function headOf(path: string | Buffer): string {
  try {
    const file = openRegular(path);
    try {
      return readFully(file.fd, Buffer.allocUnsafe(Math.min(HEAD, file.size)), 0).toString('utf8');
    } finally {
      file.close();
    }
  } catch {
    return '';
  }
}
