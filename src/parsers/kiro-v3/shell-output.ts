import type { Row } from '../../rows/row.js';

/** Tools whose `command` is a shell command. Others have an argument of that name too (`todo_list`: create, complete). */
const SHELLS = new Set(['execute_bash', 'execute_pwsh', 'execute_cmd', 'shell', 'open_cli_terminal', 'control_bash_process']);

export function isShell(tool: string): boolean {
  return SHELLS.has(tool);
}

// The engine writes the exit code as the last line of a shell result, and keeps it nowhere else.
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d{1,10})\s*$/;

/** Exit code a shell result ends with; null for any other tool and any other text. */
export function exitCodeOf(tool: string, text: string): number | null {
  const code = isShell(tool) ? EXIT_CODE.exec(text.slice(-200))?.[1] : undefined;
  return code === undefined ? null : Number(code);
}

/** `execute_pwsh` gives -1 also for commands that went well, so that -1 proves nothing. */
export function outcomeOf(exitCode: number | null, failed: boolean): Row['outcome'] {
  if (exitCode === null) return failed ? 'fail' : 'ambiguous';
  if (exitCode === -1) return 'ambiguous';
  return exitCode !== 0 ? 'fail' : failed ? 'ambiguous' : 'pass';
}
