import type { Collected } from '../collect/collection.js';
import { faultText } from '../evidence/fault.js';
import { memoryFileSource, type OpenedFile, openFileSource } from '../evidence/file-source.js';
import type { Scratch } from '../evidence/scratch.js';
import type { Artifact } from '../evidence/source.js';
import { openSnapshot, type Snapshot } from '../evidence/sqlite.js';
import type { DatabaseParser, FileParser, Parser } from '../parsers/parser.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, messageOf } from '../rows/problem.js';
import type { UnitStamp } from '../rows/stamp.js';
import { toUtcText } from '../rows/time.js';
import type { ManifestInput } from './manifest.js';
import { breathe } from './signals.js';
import type { RowSink } from './sink.js';
import { STDIN } from './stdin.js';

/** What reading needs besides the artifact. */
export interface Reading {
  readonly parsers: ReadonlyMap<string, Parser>;
  readonly scratch: Scratch;
  readonly sink: RowSink;
  readonly host: string;
  readonly user: string;
  readonly toolVersion: string;
  /** How many files with the same bytes came before, by hash. */
  readonly copies: Map<string, number>;
  /** All artifacts, by path: files that belong together are found through it. */
  readonly byFile: ReadonlyMap<string, Collected>;
  /** Content handed over on standard input. */
  readonly stdin: Buffer | undefined;
}

/** Reads one artifact into the sink and says how it went. Never throws for what the evidence holds. */
export async function readArtifact(found: Collected, reading: Reading): Promise<ManifestInput> {
  const { artifact, store } = found;
  const entry: ManifestInput = {
    path: artifact.file,
    store: store.id,
    agent: artifact.agent,
    user: artifact.user,
    size: artifact.size,
    mtime_utc: artifact.mtime === undefined ? '' : toUtcText(artifact.mtime.ms),
    sha256: '',
    sidecars: [],
    status: 'parsed',
    rows: 0,
    tables: {},
    problems: [],
  };
  const before = reading.sink.counts.rows;
  const parser = store.read ? reading.parsers.get(store.id) : undefined;
  try {
    if (parser?.container === 'sqlite') await readDatabase(found, parser, reading, entry);
    else await readFile(found, parser, reading, entry);
  } catch (error) {
    // Only opening and copying get here; what a parser meets is handled unit by unit.
    entry.status = 'unread';
    fault(entry, reading, stampOf(artifact, reading, '', 0, entry.sha256), `could not be read: ${faultText(error)}`);
  }
  entry.rows = reading.sink.counts.rows - before;
  if (entry.status === 'parsed') entry.status = entry.problems.length > 0 ? 'partly_read' : entry.rows === 0 ? 'no_rows' : 'parsed';
  return entry;
}

async function readFile(
  found: Collected,
  parser: FileParser | undefined,
  reading: Reading,
  entry: ManifestInput,
): Promise<void> {
  const { artifact } = found;
  const source = found.path === STDIN ? memoryFileSource(reading.stdin ?? Buffer.alloc(0), artifact) : openFileSource(found.path, artifact);
  try {
    entry.sha256 = source.sha256;
    entry.size = source.size;
    if (parser === undefined) {
      entry.status = 'listed';
      return;
    }
    const stamp = stampOf(artifact, reading, '', 0, source.sha256);
    reading.sink.beginUnit();
    const companions = openCompanions(found, parser, reading);
    try {
      await drain(() => parser.parse(source, companions), stamp, reading, entry);
    } finally {
      for (const companion of companions.values()) companion.close();
    }
    for (const problem of source.problems()) fault(entry, reading, stamp, problem);
  } finally {
    source.close();
  }
}

/** Files beside this one that its parser asks for. One that cannot be opened has its own error row as an artifact. */
function openCompanions({ artifact }: Collected, parser: FileParser, reading: Reading): Map<string, OpenedFile> {
  const slash = artifact.file.lastIndexOf('/') + 1;
  const opened = new Map<string, OpenedFile>();
  for (const name of parser.companions?.(artifact.file.slice(slash)) ?? []) {
    const beside = reading.byFile.get(artifact.file.slice(0, slash) + name);
    if (beside === undefined) continue;
    try {
      opened.set(name, openFileSource(beside.path, beside.artifact));
    } catch {
      // Said where the file itself is read.
    }
  }
  return opened;
}

async function readDatabase(found: Collected, parser: DatabaseParser, reading: Reading, entry: ManifestInput): Promise<void> {
  const { artifact } = found;
  const snapshot = openSnapshot(found.path, artifact, reading.scratch);
  try {
    entry.sha256 = snapshot.sha256;
    entry.size = snapshot.size;
    entry.sidecars = snapshot.sidecars.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
    const copy = copyNumber(reading, snapshot.sha256);
    const whole = { ...stampOf(artifact, reading, '', 0, snapshot.sha256, copy) };
    reading.sink.beginUnit();
    for (const { what } of snapshot.problems) fault(entry, reading, whole, what);
    entry.tables = Object.fromEntries(snapshot.tables().map((table) => [table.name, table.rows]));
    for (const unit of unitsOf(parser, snapshot, artifact, reading, entry, whole)) {
      reading.sink.beginUnit();
      const stamp = unit.table === '' ? whole : stampOf(artifact, reading, unit.table, unit.rowid ?? 0, snapshot.sha256, copy);
      await drain(() => parser.parse(snapshot, unit, artifact), stamp, reading, entry);
    }
  } finally {
    snapshot.close();
  }
}

function unitsOf(parser: DatabaseParser, snapshot: Snapshot, artifact: Artifact, reading: Reading, entry: ManifestInput, stamp: UnitStamp) {
  try {
    return parser.units(snapshot, artifact);
  } catch (error) {
    fault(entry, reading, stamp, `tables could not be listed: ${messageOf(error)}`);
    return [];
  }
}

/** Takes all rows of a unit. An error row is a problem of the input; a fault of the parser costs the rest of its unit only. */
async function drain(rows: () => Iterable<Draft>, stamp: UnitStamp, reading: Reading, entry: ManifestInput): Promise<void> {
  try {
    for (const draft of rows()) {
      reading.sink.add(draft, stamp);
      if (draft.row_type === 'error') note(entry, draft.problem || draft.text);
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
  } catch (error) {
    fault(entry, reading, stamp, `reading stopped: ${messageOf(error)}`);
  }
}

function fault(entry: ManifestInput, reading: Reading, stamp: UnitStamp, what: string): void {
  if (entry.status === 'unread') reading.sink.beginUnit();
  reading.sink.add(errorDraft(`${stamp.file}: ${what}`), stamp);
  note(entry, what);
}

const MOST_PROBLEMS = 100;

/** The manifest names the first hundred problems of an input; each has its row. */
function note(entry: ManifestInput, problem: string): void {
  if (entry.problems.length < MOST_PROBLEMS) entry.problems.push(problem);
  else if (entry.problems.length === MOST_PROBLEMS) entry.problems.push('further problems: see the error rows');
}

function stampOf(
  artifact: Artifact,
  reading: Reading,
  table: string,
  rowid: number,
  sha256: string,
  copy = copyNumber(reading, sha256),
): UnitStamp {
  return {
    host: reading.host,
    user: reading.user || artifact.user,
    agent: artifact.agent,
    file: artifact.file,
    table,
    rowid,
    sha256,
    copy,
    toolVersion: reading.toolVersion,
    used: new Map(),
  };
}

function copyNumber(reading: Reading, sha256: string): number {
  if (sha256 === '') return 0;
  const copy = reading.copies.get(sha256) ?? 0;
  reading.copies.set(sha256, copy + 1);
  return copy;
}
