import type { ToolName } from './tool-names.js';

// Kiro IDE gives a result as a sentence: the path of a write and the exit code of a command stand nowhere else. The wording is the
// same on the 0.12 and the 1.x channel. Source: captures in awslabs/aidlc-workflows (harness/kiro-ide).

export interface Prose {
  /** Path as written: relative to the workspace on the hook channel. */
  readonly path: string;
  readonly exitCode: number | null;
  readonly verdict: 'success' | 'failure' | 'unknown';
  /** Agent named in the first line; the delegate wrote it, so that it proves little. */
  readonly delegate: string;
  /** Headings of the stages of a pipeline. */
  readonly stages: readonly string[];
}

const CREATED = /^Created the (.+) file\.$/;
const REPLACED = /^Replaced text in (.+)$/;
const APPENDED = /^Appended the text to the (.+) file\.$/;
const COUNT = /\s*\([^()]*\)$/;
const EXIT_CODE = /(?:^|\n)Exit Code: (-?\d{1,10})$/;
// Only at the very start: names of files hold the word too. All but the first may be precautions of the adapter they were read in.
const FAILURE = /^(?:Caught an error while |Error:|Failed to |An error occurred)/i;
const DELEGATE = /^\*\*(?:Reviewer|Agent):\*\* ?(.{1,200})$/m;
const STAGE = /^## (.{1,200})$/gm;

export function readProse({ role, delegate }: ToolName, tool: string, stored: string): Prose {
  const text = stored.trimEnd();
  const none = { path: '', exitCode: null, delegate: '', stages: [] };
  if (role === 'shell') {
    const code = EXIT_CODE.exec(text.slice(-200))?.[1];
    if (code !== undefined) return { ...none, exitCode: Number(code), verdict: 'success' };
  }
  if (FAILURE.test(text)) return { ...none, verdict: 'failure' };
  const path = pathOf(role, tool, text);
  if (path !== '') return { ...none, path, verdict: 'success' };
  if (role === 'delegate') {
    const first = text.slice(0, text.search(/\n|$/));
    const stages = tool === 'orchestrate_subagent' && text.startsWith('Pipeline completed') ? headings(text) : [];
    return { ...none, verdict: 'unknown', delegate: delegate === '' ? (DELEGATE.exec(first)?.[1]?.trim() ?? '') : '', stages };
  }
  return { ...none, verdict: 'unknown' };
}

function pathOf(role: ToolName['role'], tool: string, text: string): string {
  if (text.includes('\n')) return '';
  if (role === 'write') return CREATED.exec(text)?.[1] ?? '';
  if (tool === 'str_replace') return REPLACED.exec(text.replace(COUNT, ''))?.[1] ?? '';
  return tool === 'fs_append' ? (APPENDED.exec(text)?.[1] ?? '') : '';
}

function headings(text: string): string[] {
  return Array.from(text.matchAll(STAGE), (match) => match[1] ?? '');
}

/** A path as it lies on disk, from the directory of the payload; empty when it is absolute, or nothing is known of the directory. */
export function resolvedPath(path: string, cwd: string): string {
  if (path === '' || cwd === '' || /^(?:[\\/]|[A-Za-z]:[\\/]|~)/.test(path)) return '';
  const windows = /^[A-Za-z]:[\\/]|^\\\\/.test(cwd);
  const separator = windows ? '\\' : '/';
  const below = path.replace(windows ? /^\.[\\/]/ : /^\.\//, '');
  return cwd.endsWith(separator) || cwd.endsWith('/') ? cwd + below : cwd + separator + below;
}
