import type { Row } from './row.js';
import type { RowType } from './row-types.js';
import type { Instant } from './time.js';

/** Columns a parser fills. Provenance, ids and constants are stamped on by the pipeline. */
type ParserColumns = Pick<
  Row,
  | 'agent'
  | 'session_id'
  | 'project_path'
  | 'model'
  | 'tool_name'
  | 'tool_use_id'
  | 'origin'
  | 'status'
  | 'outcome'
  | 'exit_code'
  | 'duration_ms'
  | 'command'
  | 'file_paths'
  | 'decision'
  | 'decided_by'
  | 'recovered'
  | 'confidence'
  | 'message_id'
  | 'request_id'
  | 'parent_session_id'
  | 'problem'
  | 'details'
  | 'source_line'
  | 'source_pointer'
  | 'source_offset'
>;

/**
 * What a parser yields: the columns it knows, and three hints that never reach the output.
 * Absent columns are written empty. `agent` defaults to the store's.
 */
export interface Draft extends Partial<ParserColumns> {
  readonly row_type: RowType;
  readonly text: string;
  /** Absent: the store records no time for this row. */
  readonly time?: Instant | undefined;
  /**
   * Starts a run of its own. Rows of one run keep the order in which they are yielded (an undated
   * row stands behind its predecessor); runs are merged by time. Use it for copies and for records
   * that do not follow the time of what was yielded before them.
   */
  readonly newRun?: boolean;
  /** A notice that stands directly ahead of the next row, even if its own time is later. */
  readonly leads?: boolean;
  /**
   * Identity of what the row says, the same in every store that holds it (ids first; text only
   * where nothing else exists). Rows with equal identity and text are copies of each other. Without one, only the same
   * place in a byte-identical file is a copy.
   */
  readonly identity?: string | undefined;
  /** 0 is the best provenance; of several copies the lowest is the primary row. Default 0. */
  readonly rank?: number;
  /** A prompt that can be matched by its text: conversations and sources that hold nothing but text (a prompt history) set it. */
  readonly textKey?: string | undefined;
  /** The row comes from a source that holds nothing but text: it is a copy where a conversation holds the same prompt. */
  readonly textOnly?: boolean;
  /** The row says that its session is this one under another id. */
  readonly sameSession?: string;
  /** Command of a call or result for finding the same event in another store, where the column cannot say it for sure. */
  readonly eventCommand?: string;
  /** Places of the row that hold a credential by schema, whatever it looks like. */
  readonly credentials?: readonly CredentialPlace[];
  /** Credentials the record holds that never reach the row: they are only marked, and masked wherever else they occur. */
  readonly withheld?: readonly WithheldCredential[];
}

/** A string of a row (or a part of it, in UTF-16 units) that is a credential; `rule` is a location rule of the catalog. */
export interface CredentialPlace {
  readonly column: 'text' | 'command' | 'details';
  /** RFC 6901 inside `details`. */
  readonly pointer?: string;
  readonly start?: number;
  readonly end?: number;
  readonly rule: string;
  readonly key?: string;
}

export interface WithheldCredential {
  readonly rule: string;
  readonly key: string;
  readonly value: string;
}
