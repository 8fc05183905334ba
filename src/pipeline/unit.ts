import { faultText } from '../evidence/fault.js';
import { memoryFileSource, type OpenedFile, openBeside, openFileSource } from '../evidence/file-source.js';
import { openRandomSource } from '../evidence/random-source.js';
import { reopenSnapshot, type Snapshot } from '../evidence/sqlite.js';
import { PARSERS } from '../parsers/index.js';
import type { DatabaseParser, FileParser, Parser } from '../parsers/parser.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, messageOf } from '../rows/problem.js';
import type { UnitStamp } from '../rows/stamp.js';
import { breathe } from './signals.js';
import type { RowSink } from './sink.js';
import type { CompanionFile, UnitReport, UnitTask } from './task.js';

const MOST_PROBLEMS = 100;

/** Takes the rows of one unit into the sink and keeps what went wrong. */
export class UnitReader {
  readonly problems: string[] = [];
  private readonly before: number;

  constructor(
    private readonly sink: RowSink,
    private readonly stamp: UnitStamp,
    private readonly input: number,
    unit: number,
  ) {
    sink.unit = unit;
    this.before = sink.counts.rows;
  }

  /** All rows. An error row is a problem of the input; a fault of the parser costs the rest of its unit only. */
  async drain(rows: () => Iterable<Draft>): Promise<void> {
    try {
      for (const draft of rows()) {
        this.sink.add(draft, this.stamp);
        if (draft.row_type === 'error') this.note(draft.problem || draft.text);
        const pause = breathe();
        if (pause !== undefined) {
          await pause;
          this.sink.signal?.throwIfAborted();
        }
      }
    } catch (error) {
      if (this.aborted) throw error;
      this.fault(`reading stopped: ${messageOf(error)}`);
    }
  }

  /** An error row about the unit as a whole. */
  fault(what: string): void {
    this.sink.add(errorDraft(`${this.stamp.file}: ${what}`), this.stamp);
    this.note(what);
  }

  /** The caller wants no more: what was thrown is not the fault of the evidence. */
  get aborted(): boolean {
    return this.sink.signal?.aborted === true;
  }

  report(): UnitReport {
    return { input: this.input, rows: this.sink.counts.rows - this.before, problems: this.problems };
  }

  /** The first hundred problems are named in the manifest; each has its row. */
  private note(problem: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
    else if (this.problems.length === MOST_PROBLEMS) this.problems.push('further problems: see the error rows');
  }
}

const parsers: ReadonlyMap<string, Parser> = new Map(PARSERS.map((parser) => [parser.id, parser]));

/** The parser of a store. */
export function parserOf(id: string): Parser | undefined {
  return parsers.get(id);
}

export function echoOf(id: string): FileParser['echo'] {
  const parser = parserOf(id);
  return parser?.container === 'file' ? parser.echo : undefined;
}

/** True for a store whose presence makes it worth remembering events. */
export function joinsEvents(id: string): boolean {
  const echo = echoOf(id);
  return echo === 'retold' || echo === 'marker';
}

/** Does a unit that was handed out. */
export async function readUnit(task: UnitTask, sink: RowSink, snapshots: Map<string, Snapshot>): Promise<UnitReport> {
  const parser = parserOf(task.parser);
  const { what } = task;
  if (what.kind === 'file' && parser?.container === 'file') return readFileUnit(task, what, parser, sink);
  const reader = new UnitReader(sink, { ...task.stamp, used: new Map() }, task.input, task.unit);
  if (what.kind === 'recovery' && parser?.container === 'sqlite') await recoverUnit(reader, what, parser);
  if (what.kind === 'database' && parser?.container === 'sqlite') {
    const snapshot = snapshotFor(what.snapshot.copyPath, snapshots, () => reopenSnapshot(what.snapshot));
    await reader.drain(() => parser.parse(snapshot, what.unit, what.snapshot.artifact));
  }
  return reader.report();
}

/** Reads deleted space of a database. */
export async function recoverUnit(reader: UnitReader, what: RecoveryWork, parser: DatabaseParser): Promise<void> {
  const opened: { close(): void }[] = [];
  const open = (path: string | Uint8Array) => {
    const source = openRandomSource(pathOf(path));
    opened.push(source);
    return source;
  };
  const { main, wal, journal } = what.files;
  try {
    const files = {
      main: open(main),
      wal: wal === undefined ? undefined : open(wal),
      journal: journal === undefined ? undefined : open(journal),
    };
    await reader.drain(() => parser.recover?.(files, what.artifact) ?? []);
  } catch (error) {
    if (reader.aborted) throw error;
    reader.fault(`deleted space could not be read: ${faultText(error)}`);
  } finally {
    for (const source of opened) source.close();
  }
}

export type RecoveryWork = Extract<UnitTask['what'], { kind: 'recovery' }>;

type FileWork = Extract<UnitTask['what'], { kind: 'file' }>;

async function readFileUnit(task: UnitTask, what: FileWork, parser: FileParser, sink: RowSink): Promise<UnitReport> {
  const known = task.stamp.sha256;
  let source: OpenedFile;
  try {
    source = openFileSource(pathOf(what.path), what.artifact, known === '' ? {} : { sha256: known });
  } catch (error) {
    const reader = new UnitReader(sink, { ...task.stamp, used: new Map() }, task.input, task.unit);
    reader.fault(`could not be read: ${faultText(error)}`);
    return { ...reader.report(), unread: true };
  }
  const companions = openCompanions(what.companions);
  try {
    const reader = new UnitReader(sink, { ...task.stamp, sha256: source.sha256, used: new Map() }, task.input, task.unit);
    await reader.drain(() => parser.parse(source, companions.files, what.share.count === 1 ? undefined : what.share));
    if (what.share.index === what.share.count - 1)
      for (const problem of [...companions.problems, ...source.problems()]) reader.fault(problem);
    return { ...reader.report(), opened: { sha256: source.sha256, size: source.size } };
  } finally {
    companions.close();
    source.close();
  }
}

/** Files beside another, and what is to be said of those that could not be opened. */
export interface Companions {
  readonly files: ReadonlyMap<string, OpenedFile>;
  readonly problems: readonly string[];
  close(): void;
}

/** One that is there and cannot be opened counts as empty and not as missing: of a missing one a parser says so. */
export function openCompanions(wanted: readonly CompanionFile[]): Companions {
  const files = new Map<string, OpenedFile>();
  const problems: string[] = [];
  for (const { name, path, artifact } of wanted) {
    try {
      files.set(name, openBeside(pathOf(path), artifact));
    } catch (error) {
      problems.push(`${name} beside it could not be read: ${faultText(error)}`);
      files.set(name, memoryFileSource(Buffer.alloc(0), artifact));
    }
  }
  return {
    files,
    problems,
    close() {
      for (const file of files.values()) file.close();
    },
  };
}

const pathOf = (path: string | Uint8Array) => (typeof path === 'string' ? path : Buffer.from(path));

/** One snapshot is open at a time: the units of a database come together. */
function snapshotFor(key: string, snapshots: Map<string, Snapshot>, open: () => Snapshot): Snapshot {
  const known = snapshots.get(key);
  if (known !== undefined) return known;
  for (const snapshot of snapshots.values()) snapshot.close();
  snapshots.clear();
  const opened = open();
  snapshots.set(key, opened);
  return opened;
}
