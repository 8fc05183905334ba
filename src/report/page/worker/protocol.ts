/** What the page and its worker say to each other. Rows are row numbers; texts and cold values travel as they are stored. */
import type { BlockKind } from '../../format.js';

export interface Block {
  readonly kind: BlockKind;
  readonly index: number;
  readonly first: number;
  readonly rows: number;
  readonly bytes: number;
  readonly crc: string;
  readonly data: string;
}

export type Rows = Uint32Array<ArrayBuffer>;

export type ToWorker =
  | { readonly type: 'block'; readonly block: Block }
  | { readonly type: 'texts'; readonly id: number; readonly rows: readonly number[]; readonly most: number }
  | { readonly type: 'cold'; readonly id: number; readonly rows: readonly number[] }
  | { readonly type: 'search'; readonly id: number; readonly needle: string }
  /** Lends the texts to the second worker, block by block. */
  | { readonly type: 'lend'; readonly port: MessagePort }
  /** To the second worker: run a regular expression over the texts that come in over the port. */
  | { readonly type: 'match'; readonly port: MessagePort; readonly pattern: string };

export interface ReadBlock {
  readonly type: 'read';
  readonly kind: BlockKind;
  readonly index: number;
  /** Why it could not be read; '' for a good one. */
  readonly broken: string;
}

export type FromWorker =
  | { readonly type: 'hot'; readonly bytes: ArrayBuffer }
  | { readonly type: 'tables'; readonly json: string }
  | ReadBlock
  /** null: the block of this row could not be read, or is not there yet. */
  | { readonly type: 'texts'; readonly id: number; readonly texts: readonly (CutText | null)[] }
  | { readonly type: 'cold'; readonly id: number; readonly values: readonly (readonly unknown[] | null)[] }
  /** `blocks`: how many text blocks were searched. */
  | { readonly type: 'hits'; readonly id: number; readonly rows: Rows; readonly blocks: number }
  | { readonly type: 'matched'; readonly rows: Rows; readonly blocks: number; readonly problem: string }
  | { readonly type: 'alive' };

export interface CutText {
  readonly text: string;
  /** Of the whole text, in UTF-16 units. */
  readonly length: number;
  readonly lines: number;
}

/** Over the port between the two workers: one block of texts for each call; null after the last. */
export interface LentBlock {
  readonly first: number;
  readonly text: string;
  readonly starts: Rows;
}
