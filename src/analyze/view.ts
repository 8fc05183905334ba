import { parseCommand } from '../commands/index.js';
import type { ParsedCommand, SimpleCommand } from '../commands/types.js';
import type { Row } from '../rows/row.js';
import type { Joined, Touches } from './joined.js';
import type { Survey } from './survey.js';
import { touchesOf } from './touches.js';

/** One row as rules see it. */
export interface RowView {
  readonly row: Row;
  readonly joined: Joined;
  /** `row.details` with `first_in_session` and `hidden_removed` of prompts. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The simple commands of `row.command`; taken apart when first asked for. */
  readonly commands: readonly SimpleCommand[];
  /** Why the command was not understood as a whole, or ''. */
  readonly commandProblem: string;
  /** Paths the row touches through a file tool or a command, normalised. */
  readonly touches: Touches;
  /** Time of the last change of the row's file, or ''. RFC 3339. */
  readonly file_mtime: string;
  /** Time of collection, or ''. */
  readonly collected_at: string;
}

/** Makes the view of a row. The command is taken apart only when a rule asks for it. */
export function viewOf(row: Row, survey: Survey, facts: FileFacts): RowView {
  let parsed: ParsedCommand | undefined;
  let touched: Touches | undefined;
  const read = (): ParsedCommand => {
    parsed ??= row.command === '' ? NONE : parseCommand(row.command, { projectPath: row.project_path, tool: row.tool_name });
    return parsed;
  };
  return {
    row,
    joined: survey.joined(row),
    details: row.row_type === 'prompt' && survey.isFirstPrompt(row) ? { ...row.details, first_in_session: true } : row.details,
    get commands() {
      return read().commands;
    },
    get commandProblem() {
      return read().problem;
    },
    get touches() {
      touched ??= touchesOf(row, read().commands);
      return touched;
    },
    file_mtime: facts.mtimes.get(row.source_file) ?? '',
    collected_at: facts.collectedAt,
  };
}

/** What the manifest of a timeline knows of its files. */
export interface FileFacts {
  /** Time of the last change by `source_file`. */
  readonly mtimes: ReadonlyMap<string, string>;
  /** When the evidence was read, or ''. */
  readonly collectedAt: string;
}

const NONE: ParsedCommand = { commands: [], complete: true, problem: '' };
