import type { Row } from '../../rows/row.js';
import { type BlockKind, COLD_COLUMNS } from '../format.js';
import { type Block, BlockFile } from './block-file.js';
import { HotColumns } from './hot.js';
import { RowBlocks } from './row-blocks.js';

/** Where the rows of a session lie in a page. */
export interface SessionPlace {
  readonly first: number;
  count: number;
}

const ORDER: readonly BlockKind[] = ['tables', 'hot', 'text', 'cold'];
/** The element around a block, about. */
const TAG_BYTES = 150;

/** The rows of one page: hot columns in memory, texts and the other columns deflated in the scratch folder. */
export class PageRows {
  readonly hot = new HotColumns();
  /** By `sessionKey`. */
  readonly sessions = new Map<string, SessionPlace>();
  inexact = 0;
  private readonly file: BlockFile;
  private readonly texts: RowBlocks | undefined;
  private readonly cold: RowBlocks | undefined;

  /** `withTexts`: false leaves texts and cold columns out, on the reader's wish. */
  constructor(folder: string, name: string, withTexts: boolean) {
    this.file = new BlockFile(folder, name);
    this.texts = withTexts ? new RowBlocks('text', this.file) : undefined;
    this.cold = withTexts ? new RowBlocks('cold', this.file) : undefined;
  }

  add(row: Row): void {
    if (row.session_id !== '') this.notePlace(sessionKey(row));
    if (!row.text.isWellFormed()) this.inexact += 1;
    this.hot.add(row, this.texts?.add(row.text) ?? Buffer.byteLength(row.text));
    this.cold?.add(`${JSON.stringify(COLD_COLUMNS.map((column) => row[column]))}\n`);
  }

  /** No row follows. */
  close(): void {
    this.texts?.flush();
    this.cold?.flush();
    if (this.hot.rows > 0) this.file.add('hot', 0, this.hot.rows, this.hot.encode());
  }

  addTables(tables: Uint8Array): void {
    this.file.add('tables', 0, 0, tables);
  }

  /** In the order of the page. */
  get blocks(): readonly Block[] {
    return ORDER.flatMap((kind) => this.file.blocks.filter((block) => block.kind === kind));
  }

  /** What the blocks take in a page. */
  get htmlBytes(): number {
    return this.file.blocks.reduce((sum, { length }) => sum + Math.ceil(length / 3) * 4 + TAG_BYTES, 0);
  }

  read(block: Block): Buffer {
    return this.file.read(block);
  }

  remove(): void {
    this.file.remove();
  }

  private notePlace(key: string): void {
    const place = this.sessions.get(key);
    if (place === undefined) this.sessions.set(key, { first: this.hot.rows, count: 1 });
    else place.count += 1;
  }
}

/** One session id can stand in two homes; the sessions of an analysis are told apart in the same way. */
export function sessionKey({ host, user, session_id }: { readonly host: string; readonly user: string; readonly session_id: string }) {
  return `${host}\u0000${user}\u0000${session_id}`;
}
