/**
 * Regular expressions run in a worker of their own, which the page can end: an expression over hostile text may run for ever. The
 * texts stay with the first worker, which lends them block by block.
 */
import type { FromWorker, LentBlock } from './protocol.js';
import { rowsMatching } from './texts.js';

export function runMatcher(port: MessagePort, pattern: string, say: (message: FromWorker) => void): void {
  const expression = new RegExp(pattern, 'iu');
  const found: number[] = [];
  let blocks = 0;
  port.onmessage = ({ data }: MessageEvent<LentBlock | null>) => {
    if (data === null) {
      port.close();
      say({ type: 'matched', rows: Uint32Array.from(found), blocks, problem: '' });
      return;
    }
    rowsMatching(data, expression, found);
    blocks += 1;
    say({ type: 'alive' });
    port.postMessage('next');
  };
  port.postMessage('next');
}

/** The other end: gives the next block for each word on the port. */
export function lend(port: MessagePort, at: (place: number) => LentBlock | null): void {
  let place = 0;
  port.onmessage = () => port.postMessage(at(place++));
}
