/** The page's side of the worker: questions with answers, and the news of loading. */

import { type Raw, rawOf } from '../text/raw.js';
import type { CutText, FromWorker, ReadBlock, Rows, ToWorker } from '../worker/protocol.js';

/** An expression that says nothing for so long is ended. */
const PATIENCE_MS = 4000;

export interface RowText {
  readonly text: Raw;
  /** Length and lines of the whole text; `text` may be its beginning. */
  readonly length: number;
  readonly lines: number;
}

export interface Hits {
  readonly rows: Rows;
  /** Text blocks that were searched. */
  readonly blocks: number;
  readonly problem: string;
}

export interface News {
  hot(bytes: ArrayBuffer): void;
  tables(json: string): void;
  read(block: ReadBlock): void;
}

export type StartWorker = () => Worker;

export class Client {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, (message: FromWorker) => void>();
  private lastId = 0;
  private endMatch: (() => void) | undefined;

  constructor(
    private readonly start: StartWorker,
    news: News,
  ) {
    this.worker = start();
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'hot') news.hot(data.bytes);
      else if (data.type === 'tables') news.tables(data.json);
      else if (data.type === 'read') news.read(data);
      else if ('id' in data) this.answer(data.id, data);
    };
  }

  send(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  /** null for a row whose block is not there. */
  async texts(rows: readonly number[], most: number): Promise<(RowText | null)[]> {
    if (rows.length === 0) return [];
    const answer = await this.ask((id) => ({ type: 'texts', id, rows, most }));
    return answer.type === 'texts' ? answer.texts.map(brandText) : [];
  }

  /** Values of COLD_COLUMNS of a row, or null. */
  async cold(row: number): Promise<readonly unknown[] | null> {
    const answer = await this.ask((id) => ({ type: 'cold', id, rows: [row] }));
    return answer.type === 'cold' ? (answer.values[0] ?? null) : null;
  }

  async search(needle: string): Promise<Hits> {
    this.endMatch?.();
    const answer = await this.ask((id) => ({ type: 'search', id, needle }));
    return answer.type === 'hits' ? { rows: answer.rows, blocks: answer.blocks, problem: '' } : nothing('');
  }

  /** A regular expression, in a worker of its own that is ended when it takes too long or another search begins. */
  match(pattern: string): Promise<Hits> {
    this.endMatch?.();
    const matcher = this.start();
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      const finish = (hits: Hits) => {
        clearTimeout(watch);
        matcher.terminate();
        this.endMatch = undefined;
        resolve(hits);
      };
      const tooLong = () => finish(nothing(`The expression was ended: a block of texts took it more than ${PATIENCE_MS / 1000} seconds.`));
      let watch = window.setTimeout(tooLong, PATIENCE_MS);
      this.endMatch = () => finish(nothing(''));
      matcher.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        clearTimeout(watch);
        if (data.type === 'matched') finish(data);
        else watch = window.setTimeout(tooLong, PATIENCE_MS);
      };
      this.send({ type: 'lend', port: port1 }, [port1]);
      const order: ToWorker = { type: 'match', port: port2, pattern };
      matcher.postMessage(order, [port2]);
    });
  }

  private ask(message: (id: number) => ToWorker): Promise<FromWorker> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send(message(id));
    });
  }

  private answer(id: number, message: FromWorker): void {
    this.waiting.get(id)?.(message);
    this.waiting.delete(id);
  }
}

const nothing = (problem: string): Hits => ({ rows: new Uint32Array(), blocks: 0, problem });

const brandText = (cut: CutText | null): RowText | null =>
  cut === null ? null : { text: rawOf(cut.text), length: cut.length, lines: cut.lines };
