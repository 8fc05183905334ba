/** The columns that only a single row is asked for: kept deflated, opened block by block, the last few kept open. */
import { inflated } from './inflate.js';

const OPEN = 8;

interface ColdBlock {
  readonly first: number;
  readonly rows: number;
  readonly packed: Uint8Array<ArrayBuffer>;
}

export class ColdBlocks {
  private readonly blocks: ColdBlock[] = [];
  private readonly open = new Map<ColdBlock, Promise<readonly string[]>>();

  add(first: number, rows: number, packed: Uint8Array<ArrayBuffer>): void {
    this.blocks.push({ first, rows, packed });
  }

  async values(row: number): Promise<readonly unknown[] | null> {
    const block = this.blocks.find(({ first, rows }) => row >= first && row < first + rows);
    if (block === undefined) return null;
    const line = (await this.lines(block))[row - block.first];
    const values: unknown = line === undefined ? null : JSON.parse(line);
    return Array.isArray(values) ? values : null;
  }

  private lines(block: ColdBlock): Promise<readonly string[]> {
    const known = this.open.get(block);
    if (known !== undefined) return known;
    const [oldest] = this.open.keys();
    if (oldest !== undefined && this.open.size >= OPEN) this.open.delete(oldest);
    const lines = inflated(block.packed).then((bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n'));
    this.open.set(block, lines);
    return lines;
  }
}
