/** First words of rows, asked of the worker for what is on the screen and kept for a while. */
import type { Client } from '../data/client.js';
import { oneLine } from '../text/pieces.js';

const MOST = 300;
const KEPT = 8000;
/** Enough for one screen: a jump must not wait for what was scrolled past. */
const BATCH = 200;

export const NO_TEXT = '(text not in this page)';

export class Previews {
  private readonly known = new Map<number, string>();
  private asking = new Set<number>();

  constructor(
    private readonly client: Client,
    private readonly onNews: () => void,
  ) {}

  get(row: number): string | undefined {
    return this.known.get(row);
  }

  /** Asks for those of the rows that are not known yet. */
  want(rows: readonly number[]): void {
    const wanted = rows.filter((row) => !this.known.has(row) && !this.asking.has(row)).slice(0, BATCH);
    if (wanted.length === 0) return;
    for (const row of wanted) this.asking.add(row);
    void this.ask(wanted);
  }

  /** Texts that were not there yet may be now. */
  forget(): void {
    for (const [row, text] of this.known) if (text === NO_TEXT) this.known.delete(row);
  }

  private async ask(rows: readonly number[]): Promise<void> {
    const texts = await this.client.texts(rows, MOST);
    rows.forEach((row, place) => {
      const found = texts[place];
      this.asking.delete(row);
      this.known.set(row, found === null || found === undefined ? NO_TEXT : oneLine(found.text, MOST));
    });
    for (const row of this.known.keys()) {
      if (this.known.size <= KEPT) break;
      this.known.delete(row);
    }
    this.onNews();
  }
}
