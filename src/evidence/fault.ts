import { messageOf } from '../rows/problem.js';

/** Code of a system or SQLite error (`ENOENT`, `SQLITE_CORRUPT`), or empty. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const PLAIN: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'not a folder',
  ELOOP: 'symbolic link, not followed',
  EIO: 'input/output error',
  ENXIO: 'special file',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'name too long',
  ENOSPC: 'no space left in the scratch folder',
};

/** What went wrong, without the absolute path that Node puts into its messages: the same evidence gives the same text anywhere. */
export function faultText(error: unknown): string {
  const code = errorCode(error);
  const plain = PLAIN[code];
  if (plain !== undefined) return `${plain} (${code})`;
  if (error instanceof Error && 'syscall' in error) return `system error (${code})`;
  return code === '' ? messageOf(error) : `${messageOf(error)} (${code})`;
}
