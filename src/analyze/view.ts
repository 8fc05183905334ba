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

/** What rows know of each other. */
export type Known = Pick<Survey, 'joined' | 'isFirstPrompt'>;

/** Makes the view of a row. What other rows say, and what a command consists of, is looked up when a rule asks for it. */
export const viewOf = (row: Row, known: Known, facts: FileFacts): RowView => new View(row, known, facts);

class View implements RowView {
  private call: Joined | undefined;
  private parsed: ParsedCommand | undefined;
  private touched: Touches | undefined;

  constructor(
    readonly row: Row,
    private readonly known: Known,
    private readonly facts: FileFacts,
  ) {}

  get joined(): Joined {
    this.call ??= this.known.joined(this.row);
    return this.call;
  }

  get details(): Readonly<Record<string, unknown>> {
    const { row } = this;
    return row.row_type === 'prompt' && this.known.isFirstPrompt(row) ? { ...row.details, first_in_session: true } : row.details;
  }

  get commands(): readonly SimpleCommand[] {
    return this.read().commands;
  }

  get commandProblem(): string {
    return this.read().problem;
  }

  get touches(): Touches {
    this.touched ??= touchesOf(this.row, this.commands);
    return this.touched;
  }

  get file_mtime(): string {
    return this.facts.mtimes.get(this.row.source_file) ?? '';
  }

  get collected_at(): string {
    return this.facts.collectedAt;
  }

  private read(): ParsedCommand {
    const { row } = this;
    this.parsed ??= row.command === '' ? NONE : parseCommand(row.command, { projectPath: row.project_path, tool: row.tool_name });
    return this.parsed;
  }
}

/** What the manifest of a timeline knows of its files. */
export interface FileFacts {
  /** Time of the last change by `source_file`. */
  readonly mtimes: ReadonlyMap<string, string>;
  /** When the evidence was read, or ''. */
  readonly collectedAt: string;
}

const NONE: ParsedCommand = { commands: [], complete: true, problem: '' };
