import type { Tree } from './tree.js';
import type { Entry } from './walk.js';

// The variable KIRO_HOME names a folder that stands for `.kiro` itself: agents, settings, steering and sessions lie directly in
// it, under whatever name it has. What lies in it proves that it is one; folders of these names alone prove nothing.

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
export function isKiroHome(name: string, entries: readonly Entry[], tree: Tree): boolean {
  if (name === '.kiro') return false;
  const folders = new Map(entries.filter(({ kind }) => kind === 'folder').map((entry) => [entry.name.toLowerCase(), entry]));
  if ([...OWN].some(([own, holds]) => inside(folders.get(own), tree).some((entry) => holds.test(entry.name)))) return true;
  const settings = inside(folders.get('settings'), tree);
  if (settings.length > 0 && [...BESIDE].some((beside) => folders.has(beside)) && isSettings(settings, tree)) return true;
  return inside(folders.get('sessions'), tree).some((entry) => holdsSession(entry, tree));
}

function inside(entry: Entry | undefined, tree: Tree): readonly Entry[] {
  const entries = entry === undefined ? [] : tree.list(entry.path);
  return 'fault' in entries ? [] : entries;
}

function holdsSession(entry: Entry, tree: Tree): boolean {
  if (entry.kind !== 'folder') return false;
  if (entry.name.toLowerCase() === 'cli') {
    return inside(entry, tree).some(({ name }) => UUID.test(name) && /\.(?:jsonl?|history|lock)$/i.test(name));
  }
  return (
    BUCKET.test(entry.name) && inside(entry, tree).some(({ name, kind }) => kind === 'folder' && (SESSION.test(name) || UUID.test(name)))
  );
}

function isSettings(files: readonly Entry[], tree: Tree): boolean {
  return files.some(({ name, path, kind }) => kind === 'file' && (settingsOf(name)?.test(headOf(path, tree)) ?? false));
}

/** What a settings file of this name begins with, where it is Kiro's. */
export function settingsOf(name: string): RegExp | undefined {
  switch (name.toLowerCase()) {
    case 'cli.json':
      return SETTING;
    case 'mcp.json':
      return SERVERS;
    case 'permissions.yaml':
    case 'permissions.json':
      return RULES;
    default:
      return undefined;
  }
}

/** What cannot be read proves nothing; it is said where the file itself is taken. */
function headOf(path: Entry['path'], tree: Tree): string {
  try {
    return tree.head(path).toString('utf8');
  } catch {
    return '';
  }
}
