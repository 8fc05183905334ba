/** Reads a page back, by the description of the form alone: none of the writer's code is used. */
import { readFileSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';
import {
  COLD_COLUMNS,
  DUPLICATE_ELSEWHERE,
  FLAG,
  type HotHead,
  NOT_SCANNED,
  type ReportSummary,
  type ReportTables,
} from '../../../src/report/format.js';

export interface DecodedPage {
  readonly html: string;
  /** All that its blocks hold, as text. */
  readonly inflated: string;
  readonly summary: ReportSummary;
  readonly tables: ReportTables;
  readonly rows: readonly Record<string, unknown>[];
  /** Row numbers of the primary rows, by row; -1 elsewhere, undefined for a primary row. */
  readonly primaries: readonly (number | undefined)[];
  readonly calls: readonly number[];
  readonly previews: readonly string[];
  readonly inexact: readonly boolean[];
  readonly textBytes: readonly number[];
}

interface RawBlock {
  readonly kind: string;
  readonly first: number;
  readonly rows: number;
  readonly bytes: Buffer;
}

const BLOCK =
  /<script type="text\/plain" data-kind="(\w+)" data-index="(\d+)" data-first="(\d+)" data-rows="(\d+)" data-bytes="(\d+)" data-crc="([0-9a-f]{8})">([A-Za-z0-9+/=]*)<\/script>/g;

export function decodePage(path: string): DecodedPage {
  const html = readFileSync(path, 'utf8');
  const [, json = ''] = /<script type="application\/json" id="summary">([^<]*)<\/script>/.exec(html) ?? [];
  const summary: ReportSummary = JSON.parse(json);
  const blocks = [...html.matchAll(BLOCK)].map(blockOf);
  const listed = blocks.map(({ kind, first, rows }, index) => ({ kind, index, first, rows }));
  if (JSON.stringify(listed) !== JSON.stringify(summary.blocks)) throw new Error('the blocks are not those of the summary');
  const tables: ReportTables = JSON.parse(blocks.find(({ kind }) => kind === 'tables')?.bytes.toString('utf8') ?? '');
  const inflated = blocks.map(({ bytes }) => bytes.toString('utf8')).join('\n');
  return { html, inflated, summary, tables, ...rowsIn(blocks) };
}

function blockOf([, kind = '', , first, rows, size, crc, base64 = '']: RegExpMatchArray): RawBlock {
  const bytes = inflateRawSync(Buffer.from(base64, 'base64'));
  if (bytes.length !== Number(size)) throw new Error(`${kind}: ${bytes.length} bytes, not ${size}`);
  if (crc32(bytes).toString(16).padStart(8, '0') !== crc) throw new Error(`${kind}: wrong CRC`);
  return { kind, first: Number(first), rows: Number(rows), bytes };
}

type Values = Omit<DecodedPage, 'html' | 'inflated' | 'summary' | 'tables'>;

function rowsIn(blocks: readonly RawBlock[]): Values {
  const hot = blocks.find(({ kind }) => kind === 'hot');
  if (hot === undefined) return { rows: [], primaries: [], calls: [], previews: [], inexact: [], textBytes: [] };
  const column = columnsOf(hot.bytes);
  const textBytes = numbers(column('text_bytes'));
  const texts = textsOf(blocks, textBytes);
  const cold = blocks
    .filter(({ kind }) => kind === 'cold')
    .flatMap(({ bytes }) => bytes.toString('utf8').split('\n').slice(0, -1))
    .map((line): unknown[] => JSON.parse(line));
  const high = numbers(column('row_id_high'));
  const low = numbers(column('row_id_low'));
  const rows = texts.map((text, i): Record<string, unknown> => {
    const time = Number(column('time')[i]);
    const rules = String(column('secret_rules')[i]);
    const count = Number(column('secret_count')[i]);
    const exit = Number(column('exit_code')[i]);
    const plain = PLAIN.map((name) => [name, column(name)[i]]);
    return {
      ...Object.fromEntries(plain),
      ...Object.fromEntries(COLD_COLUMNS.map((name, at) => [name, cold[i]?.[at]])),
      timestamp_utc: Number.isNaN(time) ? '' : new Date(time).toISOString(),
      text,
      exit_code: Number.isNaN(exit) ? null : exit,
      secret_count: count === NOT_SCANNED ? null : count,
      secret_rules: rules === '' ? [] : rules.split(' '),
      row_id: [high[i], low[i]].map((half) => (half ?? 0).toString(16).padStart(8, '0')).join(''),
    };
  });
  const primaries = numbers(column('duplicate')).map((n) => (n === 0 ? undefined : n === DUPLICATE_ELSEWHERE ? -1 : n - 1));
  const inexact = numbers(column('flags')).map((flags) => (flags & FLAG.inexact) !== 0);
  return { rows, primaries, calls: numbers(column('call')), previews: column('preview').map(String), inexact, textBytes };
}

const PLAIN =
  'agent host user session_id project_path row_type origin model tool_name status outcome decision decided_by recovered confidence timestamp_source source_file source_table command problem source_line'.split(
    ' ',
  );

const numbers = (values: readonly (string | number)[]) => values.map(Number);

function columnsOf(block: Buffer): (name: string) => readonly (string | number)[] {
  const head: HotHead = JSON.parse(block.toString('utf8', 4, 4 + block.readUInt32LE(0)));
  const decoded = new Map<string, readonly (string | number)[]>();
  for (const { name, kind, at, dictionary } of head.columns) {
    if (at % 8 !== 0) throw new Error(`${name} is not aligned`);
    const values = Array.from({ length: head.rows }, (_, i) => valueAt(block, kind, at, i));
    const words = dictionary === undefined ? undefined : head.dictionaries[dictionary];
    if (words !== undefined && words[0] !== '') throw new Error(`${name}: the empty value is not the first`);
    decoded.set(name, words === undefined ? values : values.map((code) => words[code] ?? `no value ${code}`));
  }
  return (name) => decoded.get(name) ?? [];
}

function valueAt(block: Buffer, kind: string, at: number, i: number): number {
  if (kind === 'f64') return block.readDoubleLE(at + i * 8);
  if (kind === 'u32') return block.readUInt32LE(at + i * 4);
  return kind === 'u16' ? block.readUInt16LE(at + i * 2) : block.readUInt8(at + i);
}

function textsOf(blocks: readonly RawBlock[], lengths: readonly number[]): string[] {
  const texts: string[] = [];
  for (const { kind, first, rows, bytes } of blocks) {
    if (kind !== 'text') continue;
    if (first !== texts.length) throw new Error('text blocks do not follow each other');
    let at = 0;
    for (let row = first; row < first + rows; row++) {
      texts.push(bytes.toString('utf8', at, at + (lengths[row] ?? 0)));
      at += lengths[row] ?? 0;
    }
    if (at !== bytes.length) throw new Error('a text block is longer than its texts');
  }
  return texts;
}
