import type { JsonObject } from '../../evidence/json.js';
import { namedPaths } from '../named-paths.js';

// Names of tools on the hook channels and what they do. Source: awslabs/aidlc-workflows,
// harness/kiro-ide/hooks/aidlc-kiro-tool-names.ts, and captures of Kiro IDE 0.12 to 1.2 and Kiro CLI 2.6 and 2.18.

export type ToolRole = 'write' | 'edit' | 'shell' | 'delegate' | 'delegate-shell' | 'process' | 'read' | 'other';

const ROLES: Readonly<Record<Exclude<ToolRole, 'other'>, readonly string[]>> = {
  write: ['fs_write', 'write', 'create_file'],
  edit: ['str_replace', 'fs_append', 'edit_file', 'apply_patch', 'delete_file'],
  shell: ['execute_bash', 'execute_pwsh', 'execute_cmd', 'shell', 'open_cli_terminal', 'Bash'],
  delegate: ['invoke_sub_agent', 'orchestrate_subagent', 'subagent', 'use_subagent'],
  'delegate-shell': ['subagent_response'],
  process: ['control_bash_process', 'get_process_output'],
  read: [
    'read',
    'fs_read',
    'read_file',
    'read_files',
    'read_code',
    'list_directory',
    'file_search',
    'glob',
    'grep_search',
    'grep',
    'web_fetch',
    'web_search',
    'remote_web_search',
    'disclose_context',
    'thinking',
    'todo_list',
  ],
};
const CANONICAL: Readonly<Partial<Record<ToolRole, string>>> = { write: 'fs_write', shell: 'execute_bash', delegate: 'subagent' };
const BY_NAME = new Map(Object.entries(ROLES).flatMap(([role, names]) => names.map((name) => [name, role] as const)));

const isRole = (role: string | undefined): role is ToolRole => role !== undefined && (role in ROLES || role === 'other');

export interface ToolName {
  readonly role: ToolRole;
  /** One name for the same tool under all its names. */
  readonly norm: string;
  /** Agent that a delegate call names in the tool name: written by the program, so that a delegate cannot forge it. */
  readonly delegate: string;
}

export function toolNameOf(tool: string): ToolName {
  const found = BY_NAME.get(tool);
  const role = isRole(found) ? found : /^subagent_./.test(tool) ? 'delegate' : 'other';
  const delegate = role === 'delegate' && tool.startsWith('subagent_') ? tool.slice('subagent_'.length) : '';
  return { role, norm: CANONICAL[role] ?? tool, delegate };
}

const PATH_KEYS = [
  'path',
  'paths',
  'targetFile',
  'file_path',
  'filePath',
  'file_paths',
  'filePaths',
  'image_paths',
  'contextFiles',
  'notebook_path',
];

/** Paths a call names, in order, each once. */
export function pathsIn(input: JsonObject): string[] {
  return namedPaths(input, PATH_KEYS, input.operations);
}

/** The shell command of a call. Other tools have an argument of that name too (`todo_list`, `fs_write`: create). */
export function commandIn(role: ToolRole, input: JsonObject): string {
  return role === 'shell' && typeof input.command === 'string' ? input.command : '';
}
