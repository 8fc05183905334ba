/** The worker of the page: opens blocks as they come in, holds all texts, and answers questions about rows. */
import { hotColumn, parseHot } from '../data/hot-block.js';
import { ColdBlocks } from './cold.js';
import { BrokenBlock, inflateBlock, unpacked } from './inflate.js';
import { lend, runMatcher } from './matcher.js';
import type { Block, FromWorker, ToWorker } from './protocol.js';
import { Texts, textBlock } from './texts.js';

const texts = new Texts();
const cold = new ColdBlocks();
let lengths = new Uint32Array();
/** Blocks are opened one after the other: texts need the lengths of the hot block before them. */
let opening = Promise.resolve();

const say = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });

onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'block') opening = opening.then(() => open(data.block));
  else if (data.type === 'texts') say({ type: 'texts', id: data.id, texts: data.rows.map((row) => texts.text(row, data.most)) });
  else if (data.type === 'cold') void answerCold(data.id, data.rows);
  else if (data.type === 'search') search(data.id, data.needle);
  else if (data.type === 'lend') lend(data.port, (place) => texts.at(place));
  else match(data.port, data.pattern);
};

async function open(block: Block): Promise<void> {
  const { kind, index } = block;
  try {
    const bytes = await inflateBlock(block);
    take(block, bytes);
    say({ type: 'read', kind, index, broken: '' });
  } catch (error) {
    say({ type: 'read', kind, index, broken: error instanceof BrokenBlock ? error.message : 'its form is not that of this version' });
  }
}

function take(block: Block, bytes: Uint8Array<ArrayBuffer>): void {
  if (block.kind === 'tables') say({ type: 'tables', json: new TextDecoder().decode(bytes) });
  else if (block.kind === 'hot') takeHot(bytes);
  else if (block.kind === 'text') texts.add(textBlock(block.first, bytes, lengths.subarray(block.first, block.first + block.rows)));
  // Only looked at so far: what a single row asks for is opened again then.
  else cold.add(block.first, block.rows, unpacked(block));
}

function takeHot(bytes: Uint8Array<ArrayBuffer>): void {
  lengths = Uint32Array.from(hotColumn(parseHot(bytes.buffer), 'text_bytes'));
  say({ type: 'hot', bytes: bytes.buffer }, [bytes.buffer]);
}

async function answerCold(id: number, rows: readonly number[]): Promise<void> {
  const values: (readonly unknown[] | null)[] = [];
  for (const row of rows) values.push(await cold.values(row).catch(() => null));
  say({ type: 'cold', id, values });
}

function search(id: number, needle: string): void {
  const rows = texts.search(needle);
  say({ type: 'hits', id, rows, blocks: texts.size }, [rows.buffer]);
}

function match(port: MessagePort, pattern: string): void {
  try {
    runMatcher(port, pattern, say);
  } catch (error) {
    say({
      type: 'matched',
      rows: new Uint32Array(),
      blocks: 0,
      problem: error instanceof Error ? error.message : 'not a regular expression',
    });
  }
}
