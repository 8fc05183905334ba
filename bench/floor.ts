/**
 * The least that any reader of the evidence must do, in a process of its own: read, hash, decode and parse the same bytes on one thread.
 * For sessions of Kiro CLI and the store of the IDE: walk the tree and parse each line, or each file that is one document.
 * For a home folder: walk it and read the first 512 bytes of every file that could be an export by its name.
 *
 *   tsx bench/floor.ts database|value|export|home|kiro|ide|mixed PATH
 *
 * Prints {seconds, cpuSeconds, rssMiB, bytes, parsed}. Both times cover the work only, without the start of the process.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import Database from 'better-sqlite3';

export interface Floor {
  seconds: number;
  cpuSeconds: number;
  /** Peak of the whole process. */
  rssMiB: number;
  /** Bytes read. */
  bytes: number;
  /** False where the input is too large for one string, so that it was hashed and decoded only. */
  parsed: boolean;
}

const BLOCK = 1 << 20;
const LONGEST_STRING = 512 * 1_000_000;
const SNIFFED = 512;
const NOT_ENTERED = new Set(['node_modules', '.git']);
const CANDIDATES = new Set(['', '.json', '.md', '.txt']);

type Work = Pick<Floor, 'bytes' | 'parsed'>;

/** Reads a file in blocks; the block is reused, so `use` must not keep it. */
function eachBlock(path: string, use: (block: Buffer) => void): number {
  const file = openSync(path, 'r');
  const block = Buffer.allocUnsafe(BLOCK);
  let total = 0;
  try {
    for (;;) {
      const length = readSync(file, block, 0, BLOCK, null);
      if (length === 0) return total;
      use(block.subarray(0, length));
      total += length;
    }
  } finally {
    closeSync(file);
  }
}

function readDatabase(path: string): Work {
  const hash = createHash('sha256');
  const bytes = eachBlock(path, (block) => hash.update(block));
  hash.digest();
  const db = new Database(path, { readonly: true });
  let parsed = true;
  try {
    const values = db.prepare<[], Buffer>('SELECT CAST(value AS BLOB) FROM conversations ORDER BY rowid').pluck();
    for (const value of values.iterate()) {
      if (value.length < LONGEST_STRING) JSON.parse(value.toString('utf8'));
      else parsed = false;
    }
  } finally {
    db.close();
  }
  return { bytes, parsed };
}

function readExport(path: string): Work {
  const hash = createHash('sha256');
  if (statSync(path).size < LONGEST_STRING) {
    const content = readFileSync(path);
    hash.update(content).digest();
    JSON.parse(content.toString('utf8'));
    return { bytes: content.length, parsed: true };
  }
  const decoder = new TextDecoder();
  const bytes = eachBlock(path, (block) => {
    hash.update(block);
    decoder.decode(block, { stream: true });
  });
  hash.digest();
  return { bytes, parsed: false };
}

function readSessions(root: string): Work {
  let bytes = 0;
  for (const item of readdirSync(root, { withFileTypes: true, recursive: true })) {
    if (!item.isFile()) continue;
    if (item.name.endsWith('.sqlite3')) {
      bytes += readDatabase(join(item.parentPath, item.name)).bytes;
      continue;
    }
    const content = readFileSync(join(item.parentPath, item.name));
    createHash('sha256').update(content).digest();
    bytes += content.length;
    const text = content.toString('utf8');
    // Files of the IDE have no ending.
    if (item.name.endsWith('.json') || !item.name.includes('.')) JSON.parse(text);
    else if (item.name.endsWith('.jsonl')) for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
  }
  return { bytes, parsed: true };
}

function sniffTree(root: string): Work {
  const head = Buffer.allocUnsafe(SNIFFED);
  const folders = [root];
  let bytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      if (item.isDirectory()) {
        if (!NOT_ENTERED.has(item.name)) folders.push(join(folder, item.name));
      } else if (item.isFile() && CANDIDATES.has(extname(item.name))) {
        const file = openSync(join(folder, item.name), 'r');
        bytes += readSync(file, head, 0, SNIFFED, 0);
        closeSync(file);
      }
    }
  }
  return { bytes, parsed: false };
}

const readers: Record<string, (path: string) => Work> = {
  database: readDatabase,
  value: readDatabase,
  export: readExport,
  home: sniffTree,
  kiro: readSessions,
  ide: readSessions,
  mixed: readSessions,
};

if (process.argv.length === 4) {
  const [, , kind = '', path = ''] = process.argv;
  const read = readers[kind];
  if (read === undefined) throw new Error(`unknown kind '${kind}'`);
  const start = performance.now();
  const startCpu = process.cpuUsage();
  const work = read(path);
  const seconds = (performance.now() - start) / 1000;
  const cpu = process.cpuUsage(startCpu);
  const floor: Floor = {
    seconds,
    cpuSeconds: (cpu.user + cpu.system) / 1_000_000,
    rssMiB: process.resourceUsage().maxRSS / 1024,
    ...work,
  };
  console.log(JSON.stringify(floor));
} else {
  console.error('usage: floor.ts database|value|export|home|kiro|ide|mixed PATH');
  process.exitCode = 2;
}
