import type { ByteSource } from '../evidence/source.js';

/** The files of one store, as bytes. Any of them may be missing, empty, damaged, or alone. */
export interface RecoveryInput {
  readonly main: ByteSource | undefined;
  readonly wal?: ByteSource | undefined;
  readonly journal?: ByteSource | undefined;
}

export type FileRole = 'main' | 'wal' | 'journal';

/** A piece of a file: `tail -c +$((offset + 1)) file | head -c $length`. */
export interface Slice {
  readonly file: FileRole;
  readonly offset: number;
  readonly length: number;
}

/**
 * Why two page images are taken to belong together. `whole`: length, page count and end of the value agree and it parses;
 * `freelist-order`: both were freed in one walk of one chain; `same-commit`: both come from one state of a log or journal;
 * `repeats`: fields of the entry on both sides repeat each other; `copy`: what it joins lies together in another page as well;
 * the others are pointers that nothing else confirms; `trunk`: the pointer is lost, and the first page of the list stands in for it.
 */
export type Proof =
  | 'whole'
  | 'freelist-order'
  | 'same-commit'
  | 'repeats'
  | 'copy'
  | 'pointer'
  | 'head'
  | 'trunk'
  | 'wal-base'
  | 'contested';

export interface Join {
  readonly proof: Proof;
  /** Offset of the join in the recovered bytes. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Why a chain was not followed further. */
export type Stop =
  | 'end'
  | 'reused'
  | 'trunk'
  | 'cycle'
  | 'out-of-range'
  | 'short-page'
  | 'claimed'
  | 'contested'
  | 'clipped'
  | 'missing-page'
  | 'limit'
  | 'no-pointer';

export type Region =
  | 'freelist-leaf'
  | 'freelist-trunk'
  | 'free-btree'
  | 'unallocated'
  | 'overflow-stale'
  | 'unowned'
  | 'damaged-row'
  | 'wal-current'
  | 'wal-stale'
  | 'wal-uncommitted'
  | 'journal'
  | 'db-under-wal'
  | 'db-under-journal';

export type RecoveredSource = 'freelist' | 'unallocated' | 'wal' | 'journal';
export type Confidence = 'complete' | 'probable' | 'partial' | 'fragment';

/**
 * `entry`: a whole history entry. `prompt`, `assistant`, `tool_result`: whole parts of an entry that is cut. `fragment`: text
 * that is itself cut. `head`: a conversation known by its id and directory. `transcript`: a line of a transcript whose entry is
 * not there. `shell`: a row of the shell history. `credential`, `state`: place of a stored value that is not shown.
 */
export type RecoveredKind =
  | 'entry'
  | 'prompt'
  | 'assistant'
  | 'tool_result'
  | 'fragment'
  | 'head'
  | 'summary'
  | 'transcript'
  | 'shell'
  | 'credential'
  | 'state';

/** What the surroundings of a part of an entry say about it. */
export interface Surroundings {
  readonly metadata?: unknown;
  readonly timestamp?: string;
  readonly directory?: string;
  /** Of a fragment: the field that it was cut from. */
  readonly field?: 'prompt' | 'assistant' | 'tool_result';
  /** Of a credential or state value: key, length and the rule that found it. */
  readonly key?: string;
  readonly size?: number;
  readonly rule?: string;
}

/** Where an object that was found lies, and how sure it is. */
export interface Provenance {
  readonly kind: RecoveredKind;
  readonly region: Region;
  readonly confidence: Confidence;
  readonly slices: readonly Slice[];
  readonly pages: readonly number[];
  readonly joins: readonly Join[];
  readonly stop: Stop;
  /** Of the bytes of the slices, one after the other. */
  readonly sha256: string;
  readonly around: Surroundings;
  /** Number of the log generation and commit, from 1; 0 where neither applies. */
  readonly generation: number;
  readonly commit: number;
  /** Further copies with equal bytes. */
  readonly copies: number;
  /** SHA-256 of other recovered versions of the same entry, or of its live version. */
  readonly variants: readonly string[];
  /** Checks that failed, and other doubts. */
  readonly problems: readonly string[];
}

export interface RecoveredEntry extends Provenance {
  /** Parsed JSON (entry, parts, head, shell row), or text (fragment, transcript, summary); undefined where the value is not shown. */
  readonly raw: unknown;
  readonly source: RecoveredSource;
  readonly conversationId?: string;
  /** Of an object without id: all conversations of its directory, none of which the bytes prove. */
  readonly possibleIds?: readonly string[];
  readonly projectPath?: string;
  /** Of a credential: reads what is stored, so that it can be masked wherever it stands; it is never to be shown. */
  readonly stored?: () => string;
}

/** What the live rows hold, so that nothing of it is given as recovered. Keys are those of `entryKeyOf`. */
export interface LiveIndex {
  /**
   * Said ahead of asking for entries, owners or texts: each mark is a text that any value must hold which has what is asked for.
   * `undefined`: no such text is known, so that all values have to be looked at.
   */
  expect(marks: Iterable<string | undefined>): void;
  /** Entry key to SHA-256 of the entry's bytes (empty where not known). */
  readonly entries: ReadonlyMap<string, string>;
  /** Entry keys and tool ids (`t:...`) to the conversation that holds them; empty where several do. */
  readonly owners: ReadonlyMap<string, string>;
  /** `textKey` of prompts, answers, results, summaries and transcript lines. */
  readonly texts: ReadonlySet<string>;
  /** Conversation ids with their directories. */
  readonly conversations: ReadonlyMap<string, string>;
  /** `textKey` of shell rows and of stored key and value pairs. */
  readonly rows: ReadonlySet<string>;
}

export interface RecoveryOptions {
  /** Entries of one file; beyond it the rest is counted only. Default one million. */
  readonly entryLimit?: number;
  /** Longest chain that is put together, in bytes. Default 256 MiB. */
  readonly chainLimit?: number;
  /** Texts that are looked for in live values before all of them are taken apart. Default 12; 0 where free space may ask for more. */
  readonly mostMarks?: number;
}

/** A conversation that is known by its id although no row gives its value. */
export interface LostSession {
  readonly session_id: string;
  readonly project_path: string;
  /** Where its name was found. */
  readonly region: Region;
  /** What else was found of it. */
  readonly objects: number;
}

export interface RecoverySummary {
  readonly pageSize: number;
  readonly pages: number;
  readonly freePages: number;
  readonly trunks: number;
  readonly zeroedPages: number;
  readonly unownedPages: number;
  /** Free pages whose text belongs to versions of live conversations. */
  readonly livePages: number;
  readonly bytesScanned: number;
  readonly freelistErrors: number;
  readonly walFrames: number;
  readonly walGenerations: number;
  readonly walCommits: number;
  readonly journalRecords: number;
  readonly byConfidence: Readonly<Record<Confidence, number>>;
  readonly byKind: Readonly<Partial<Record<RecoveredKind, number>>>;
  /** Copies of what live rows hold, and of what was recovered already. */
  readonly supersededCopies: number;
  readonly equalCopies: number;
  readonly variants: number;
  readonly credentials: number;
  readonly lostSessions: readonly LostSession[];
  /** Plain sentences: what was found, or why nothing could be. */
  readonly statements: readonly string[];
  readonly problems: readonly string[];
}

export interface RecoveryResult {
  readonly summary: RecoverySummary;
  /** Reads each entry's bytes again and parses them, one at a time, so that memory does not grow with what was found. */
  entries(): Generator<RecoveredEntry>;
}
