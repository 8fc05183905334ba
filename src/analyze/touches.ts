import { normalisePath } from '../commands/index.js';
import type { SimpleCommand } from '../commands/types.js';
import type { Row } from '../rows/row.js';
import type { Touches } from './joined.js';

/** File tools by their names in the stores, and what they do to the paths they name. */
const READERS = /^(?:fs_?read|read|read_?files?|read_?multiple_?files|read_?code|cat|view|open_?file|get_?diagnostics)$/i;
const WRITERS =
  /^(?:fs_?write|write|fs_?append|append|create|create_?file|str_?replace|edit|edit_?file|insert|patch|apply_?patch|smart_?relocate|semantic_?rename|edit_?code)$/i;
const DELETERS = /^(?:fs_?delete|delete|delete_?file|remove_?file)$/i;

const NOTHING: readonly string[] = [];

/** Paths a row reads, writes and deletes: through a file tool by its name, and through the commands of a shell tool. */
export function touchesOf(row: Row, commands: readonly SimpleCommand[]): Touches {
  const read = new Set<string>();
  const write = new Set<string>();
  const remove = new Set<string>();
  const own = row.row_type === 'tool_use' && !listsFolder(row) ? kindOf(row.tool_name) : undefined;
  const target = own === 'read' ? read : own === 'write' ? write : own === 'delete' ? remove : undefined;
  if (target !== undefined) for (const path of row.file_paths) target.add(normalisePath(path));
  for (const command of commands) {
    for (const path of command.reads) read.add(path);
    for (const path of command.writes) write.add(path);
    for (const path of command.deletes) remove.add(path);
  }
  return { read: listOf(read), write: listOf(write), delete: listOf(remove) };
}

/** What a tool does to the files it names; undefined for one that is no file tool. */
export function kindOf(tool: string): 'read' | 'write' | 'delete' | undefined {
  return READERS.test(tool) ? 'read' : WRITERS.test(tool) ? 'write' : DELETERS.test(tool) ? 'delete' : undefined;
}

// The reading tool of the Amazon Q and Kiro CLIs also lists folders: names are then seen, no content.
function listsFolder({ text }: Row): boolean {
  return /"mode"\s*:\s*"Directory"/i.test(text) && !/"mode"\s*:\s*"(?!Directory)/i.test(text);
}

const listOf = (set: ReadonlySet<string>) => (set.size === 0 ? NOTHING : [...set]);
