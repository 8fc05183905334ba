/** A path with all spellings of one place made equal, as far as the text alone tells. */
export function normalisePath(path: string, options: { readonly quotedTilde: boolean } = { quotedTilde: false }): string {
  if (options.quotedTilde) return literal(path);
  if (PLAIN.test(path)) return path;
  let result = path.startsWith('file://') ? path.slice(path.startsWith('file:///') ? 7 : 5) : path;
  const windows = isWindowsLike(result);
  if (windows) result = result.replaceAll('\\', '/');
  result = expandHome(result);
  const device = /^\/\/[.?]\//.exec(result)?.[0] ?? '';
  if (device !== '') return device + result.slice(device.length).replace(/\/{2,}/g, '/');
  const share = windows && result.startsWith('//') ? '/' : '';
  return share + withoutDots(result.replace(/\/{2,}/g, '/'));
}

/** Only characters that no step below changes. */
const PLAIN = /^(?:~(?=\/|$))?(?:\/?[\w@+,:=-][\w@+,:=.-]*)?(?:\/[\w@+,:=-][\w@+,:=.-]*)*\/?$/;

/** A name whose `~` or `$HOME` the shell leaves alone is a file in the current folder; `./` keeps it apart from the home directory. */
function literal(path: string): string {
  return /^(?:~|\$\{?(?:HOME\b|env:))/i.test(path) ? `./${path}` : path;
}

/** Backslashes are separators only where a path looks like one of Windows: elsewhere they are part of a name or of a pattern. */
function isWindowsLike(path: string): boolean {
  if (!path.includes('\\')) return false;
  return /^(?:[A-Za-z]:|\\\\|%\w+%|\$env:|\$\{env:|\$HOME\\|~\\|\.{1,2}\\)/i.test(path) || !path.includes('/');
}

const HOMES: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:\$HOME|\$\{HOME\}|%HOMEDRIVE%%HOMEPATH%|%(?:USERPROFILE|HOMEPATH)%|\$env:(?:USERPROFILE|HOME)|\$\{env:(?:USERPROFILE|HOME)\})(?=\/|$)/i,
    '~',
  ],
  [/^(?:%APPDATA%|\$env:APPDATA|\$\{env:APPDATA\})(?=\/|$)/i, '~/AppData/Roaming'],
  [/^(?:%LOCALAPPDATA%|\$env:LOCALAPPDATA|\$\{env:LOCALAPPDATA\})(?=\/|$)/i, '~/AppData/Local'],
  [/^(?:%TE?MP%|\$env:TE?MP|\$\{env:TE?MP\})(?=\/|$)/i, '~/AppData/Local/Temp'],
  [/^(?:%(?:SystemRoot|windir)%|\$env:(?:SystemRoot|windir))(?=\/|$)/i, 'C:/Windows'],
  [/^(?:%ProgramData%|\$env:ProgramData)(?=\/|$)/i, 'C:/ProgramData'],
];

function expandHome(path: string): string {
  const first = path.charCodeAt(0);
  if (first !== DOLLAR && first !== PERCENT) return path;
  for (const [pattern, home] of HOMES) if (pattern.test(path)) return path.replace(pattern, home);
  return path;
}

const DOLLAR = 36;
const PERCENT = 37;

/** Beginnings that mean another place than the current folder; `./~` is a file, and stays apart from the home directory. */
const SPECIAL = /^(?:[~$%]|[A-Za-z]:)/;

/** Without `.` parts, and without `x/..` where the start of the path is known. */
function withoutDots(path: string): string {
  if (!/(?:^|\/)\.{1,2}(?:\/|$)/.test(path)) return path;
  const known = /^(?:\/|~|[A-Za-z]:)/.test(path);
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '.') continue;
    const root = kept.length === 1 && /^(?:|~.*|[A-Za-z]:)$/.test(kept[0] ?? '');
    if (part !== '..' || !known) kept.push(part);
    else if (kept.length > 0 && root && kept[0] !== '') return path;
    else if (kept.length > 1) kept.pop();
  }
  if (known && path.endsWith('/..')) kept.push('');
  const result = kept.join('/');
  if (SPECIAL.test(result) && !SPECIAL.test(path)) return `./${result}`;
  if (result !== '') return result;
  return path.startsWith('/') ? '/' : '.';
}
