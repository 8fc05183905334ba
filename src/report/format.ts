/**
 * The form of the data inside a report page: what the writer puts in and the browser reads. Types and names only; this file is
 * used on both sides and imports nothing that runs.
 *
 * Order in the file: meta elements, style, static shell, summary, script, then the blocks. A block is
 * `<script type="text/plain" data-kind data-index data-first data-rows data-bytes data-crc>`, its content the base64 of the
 * raw-deflated bytes. `data-bytes` and `data-crc` (CRC-32, 8 hex digits) are those of the inflated bytes, so that a page that was
 * cut or edited is told from a whole one. `data-index` counts all blocks of the page from 0, in the order of `summary.blocks`: tables,
 * hot, text, cold. Row numbers are 0-based places in the timeline's order (of this page's rows).
 *
 * `<` in the summary is written as \u003c. The columns `turn_type` (follows from `row_type`) and `schema` (one for all rows) are not held.
 */
import type { Finding } from '../analyze/finding.js';
import type { Session } from '../analyze/session.js';
import type { ManifestInput } from '../pipeline/manifest.js';
import type { Column } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';

export const REPORT_SCHEMA = 'kirotrail-report/1';

/**
 * Ids of elements. The static shell is `<div id="report">`, which the script fills anew; the summary is
 * `<script type="application/json" id="summary">`. Both stand before the script, and the script before the blocks.
 */
export const ROOT_ID = 'report';
export const SUMMARY_ID = 'summary';

/** What the build says of the built script and style (`shell.json`): their hashes as a policy names them, `sha256-...`. */
export interface ReportShell {
  readonly script: string;
  readonly style: string;
}

/** `tables`: JSON of `ReportTables`, one block. `hot`: one block. `text` and `cold`: many, in row order. */
export type BlockKind = 'tables' | 'hot' | 'text' | 'cold';

/** How the values of a hot column lie in memory; all little-endian. */
export type HotKind = 'f64' | 'u32' | 'u16' | 'u8';

/**
 * A hot block, inflated: u32 length of the head, the head as UTF-8 JSON, zero bytes up to the next multiple of 8, then the arrays,
 * each beginning at `at` (a multiple of 8, counted from the start of the block).
 */
export interface HotHead {
  readonly rows: number;
  readonly columns: readonly HotColumn[];
  /** Values in order of first use, '' always at 0. */
  readonly dictionaries: Readonly<Record<string, readonly string[]>>;
}

export interface HotColumn {
  readonly name: HotName;
  readonly kind: HotKind;
  readonly at: number;
  /** The values are indexes into this dictionary. */
  readonly dictionary?: string;
}

/** Columns whose values are filtered, sorted, plotted or shown in a list; all dictionaries, under the column's own name. */
export const HOT_TEXTS = [
  'agent',
  'host',
  'user',
  'session_id',
  'project_path',
  'row_type',
  'origin',
  'model',
  'tool_name',
  'status',
  'outcome',
  'decision',
  'decided_by',
  'recovered',
  'confidence',
  'timestamp_source',
  'source_file',
  'source_table',
  'command',
  'problem',
] as const satisfies readonly Column[];

/**
 * `time`: f64, ms since 1970, NaN without a time. `exit_code`: f64 (Windows has codes beyond 31 bits), NaN where none is recorded.
 * `source_line`: f64. `secret_count`: u16, at most 65534; NOT_SCANNED where no scan ran. `secret_rules`: dictionary of the rules joined by a blank. `duplicate`: u32, row number + 1 of the
 * primary row, 0 for a primary row, DUPLICATE_ELSEWHERE where the primary row is not in this page. `row_id_high`, `row_id_low`: u32, the
 * 16 hex digits. `text_bytes`: u32, length in UTF-8 within the text blocks. `flags`: u8, see FLAG.
 * `call`: u32, a number that rows of one call share (call, decision, result: same host, user, session and tool_use_id), 0 where the row names no
 * call; numbers are given in order of first use from 1. A call and its result are shown as one block without reading the cold columns.
 * `preview`: dictionary, path or query of a call without a command, cut at PREVIEW characters; else ''.
 */
export type HotName =
  | (typeof HOT_TEXTS)[number]
  | 'time'
  | 'exit_code'
  | 'source_line'
  | 'secret_count'
  | 'secret_rules'
  | 'duplicate'
  | 'row_id_high'
  | 'row_id_low'
  | 'text_bytes'
  | 'call'
  | 'preview'
  | 'flags';

export const NOT_SCANNED = 0xffff;
export const DUPLICATE_ELSEWHERE = 0xffffffff;
export const PREVIEW = 200;

export const FLAG = {
  /** The text held a lone surrogate, which UTF-8 cannot carry: the JSONL is the authority. */
  inexact: 1,
} as const;

/**
 * A text block, inflated: the texts of its rows one behind the other in UTF-8, lengths in `text_bytes` (evidence contains every
 * character, so no separator would do). Blocks end between rows at about 256 KiB; a longer text has a block of its own.
 *
 * A cold block, inflated: one line of JSON per row, an array of the values of COLD_COLUMNS in this order.
 */
export const COLD_COLUMNS = [
  'git_branch',
  'tool_use_id',
  'timestamp_original',
  'duration_ms',
  'file_paths',
  'duplicate_of',
  'message_id',
  'request_id',
  'parent_session_id',
  'source_pointer',
  'source_offset',
  'source_sha256',
  'details',
  'tool_version',
  'secrets',
] as const satisfies readonly Column[];

/**
 * A finding of the page; `rows` are its row numbers here, `also` those that say the same. `row_ids` stay complete, also where only
 * some of the rows are in the page. `parts`: numbers of the pages that hold rows of it; empty where the report is one page.
 */
export interface ReportFinding extends Finding {
  readonly rows: readonly number[];
  readonly also: readonly number[];
  readonly parts: readonly number[];
}

/** What is shown of a finding before the tables are there; the rest is in `ReportTables.findings` under the same id. */
export type SummaryFinding = Pick<
  Finding,
  | 'finding_id'
  | 'rule'
  | 'level'
  | 'title'
  | 'statement'
  | 'means'
  | 'otherwise'
  | 'excerpts'
  | 'count'
  | 'session_id'
  | 'first_utc'
  | 'last_utc'
  | 'suppressed_by'
>;

/**
 * A session of the page; `title` as far as a row names one. `part`: number of the page that holds it, 0 where the report is one
 * page. The counts of `Session` are of the whole session, also where only some of its rows are in the page.
 */
export interface ReportSession extends Session {
  readonly part: number;
  readonly title: string;
  readonly first_row: number;
  /** Every row of the session in this page, copies included. */
  readonly row_count: number;
}

export interface ReportTables {
  readonly sessions: readonly ReportSession[];
  readonly findings: readonly ReportFinding[];
  /** Files read; empty where the report was made from a timeline without its manifest. */
  readonly inputs: readonly ManifestInput[];
  /** Everything that was not read and why: path (or a count) and reason, in plain words. */
  readonly not_read: readonly { readonly path: string; readonly reason: string }[];
}

/** One stacked bar; counts by group in the order of BIN_GROUPS. */
export type Bin = readonly number[];
export const BIN_GROUPS = ['prompts', 'answers', 'calls and results', 'decisions', 'other'] as const;
/** Place in BIN_GROUPS by row type; every other type is `other`. */
export const BIN_GROUP_OF: ReadonlyMap<string, number> = new Map<RowType, number>([
  ['prompt', 0],
  ['assistant', 1],
  ['thinking', 1],
  ['tool_use', 2],
  ['tool_result', 2],
  ['permission', 3],
]);
export const MOST_BINS = 200;

/** Plain JSON in the page, under 1 MB, drawn at once, before any block is there. */
export interface ReportSummary {
  readonly schema: typeof REPORT_SCHEMA;
  readonly tool_version: string;
  readonly title: string;
  /** Words that stand in every view: the filter of this page ("rows of ... only, 61,204 of 740,118"), the part, or ''. */
  readonly scope: string;
  /** `index`: relative address of the index page. `first_row`: rows of the parts before this one. */
  readonly part: {
    readonly number: number;
    readonly of: number;
    readonly first_row: number;
    readonly total_rows: number;
    readonly index: string;
  } | null;
  /** Pages of an index, relative addresses (already percent-encoded); empty for a page that holds rows itself. */
  readonly parts: readonly ReportPart[];
  /** False: the page was made without text and cold blocks (`--no-text`); `text_bytes` then still tells the lengths. */
  readonly texts: boolean;
  readonly rows: number;
  readonly undated: number;
  /** Recorded times only; the time of a file says when a copy was last written. */
  readonly first_utc: string;
  readonly last_utc: string;
  readonly hosts: readonly string[];
  readonly users: readonly string[];
  readonly agents: readonly string[];
  readonly files: number;
  readonly files_partly_read: number;
  readonly files_unread: number;
  /** Files, folders and links that were not read at all; null without a manifest. */
  readonly not_read: number | null;
  /** `masked`, `shown` (the page holds secrets in clear), `not scanned` or `unknown`. */
  readonly secrets_policy: 'masked' | 'shown' | 'not scanned' | 'unknown';
  /** SHA-256 of the timeline's bytes. */
  readonly timeline_sha256: string;
  /** Rows that another row already says (`duplicate_of`) are not counted here. */
  readonly figures: {
    readonly sessions: number;
    readonly prompts_typed: number;
    readonly prompts_injected: number;
    readonly tool_calls: number;
    readonly approved: number;
    readonly denied_or_cancelled: number;
    /** Calls without any decision on record. */
    readonly not_recorded: number;
    readonly recovered: number;
    readonly gaps: number;
    readonly errors: number;
    readonly secrets: number;
  };
  /** All rows with a time, copies and file times too, from `from` to `to` (ms) in at most MOST_BINS equal bins; null when no row has one. */
  readonly activity: { readonly from: number; readonly to: number; readonly bins: readonly Bin[] } | null;
  /** The first findings by level (at most 20; suppressed ones last; long values cut) and how many there are in all. */
  readonly findings: readonly SummaryFinding[];
  readonly findings_total: number;
  /** Remarks that a reader must see: rules left out, suppressions, broken lines of the timeline. */
  readonly remarks: readonly string[];
  /** Blocks that follow, so that a page cut at its end is noticed. */
  readonly blocks: readonly { readonly kind: BlockKind; readonly index: number; readonly first: number; readonly rows: number }[];
}

export interface ReportPart {
  readonly href: string;
  readonly number: number;
  readonly rows: number;
  readonly first_utc: string;
  readonly last_utc: string;
  readonly sessions: number;
}
