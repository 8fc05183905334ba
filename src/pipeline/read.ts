import type { Collected, Trouble } from '../collect/collection.js';
import { faultText } from '../evidence/fault.js';
import { memoryFileSource, openFileSource } from '../evidence/file-source.js';
import { CHANGED } from '../evidence/open.js';
import type { Artifact } from '../evidence/source.js';
import { openSnapshot, type Snapshot } from '../evidence/sqlite.js';
import type { DatabaseParser, DatabaseUnit, FileParser, Share } from '../parsers/parser.js';
import { errorDraft, messageOf } from '../rows/problem.js';
import { companionsOf } from './companions.js';
import { homesOf } from './homes.js';
import type { ManifestInput } from './manifest.js';
import { entryOf } from './manifest-entry.js';
import type { ReadSettings } from './read-settings.js';
import { Reread } from './reread.js';
import { unlessAborted } from './signals.js';
import { STDIN } from './stdin.js';
import type { StampFacts, UnitReport, UnitTask } from './task.js';
import { GROUP_BYTES, TaskQueue } from './task-queue.js';
import { echoOf, openCompanions, parserOf, recoverUnit, UnitReader } from './unit.js';

/** From here on a divisible file is read in shares. */
const SHARE_BYTES = 24 << 20;
const LARGE_BYTES = 192 << 20;

/** Reads artifacts in the order of the evidence: opens, hashes and copies, and gives the units to this thread or to the pool. */
export class EvidenceReader {
  readonly inputs: ManifestInput[] = [];
  private units = 0;
  /** Owner of the home that each unit lies in. */
  readonly owners: string[] = [];
  /** How many files with the same bytes came before, by hash. */
  private readonly copies = new Map<string, number>();
  /** Copies of databases that workers still read. */
  private readonly snapshots: Snapshot[] = [];
  /** Databases whose deleted space was looked through. */
  readonly scanned: string[] = [];
  private readonly queue: TaskQueue;
  private readonly reread = new Reread();
  /** Of what cannot be opened: what was said of it already, so that each row has an id of its own. */
  private readonly said = new Map<string, Map<string, number>>();

  private readonly homeOf: (artifact: Artifact) => string;

  constructor(private readonly settings: ReadSettings) {
    this.queue = new TaskQueue(settings.pool);
    this.homeOf = homesOf([...settings.byFile.values()].map(({ artifact }) => artifact));
  }

  /** Reads one artifact. Never throws for what the evidence holds. */
  async read(found: Collected): Promise<void> {
    await this.room();
    const { artifact, store } = found;
    const input = this.inputs.length;
    const entry = entryOf(artifact, store.id);
    this.inputs.push(entry);
    const parser = store.read ? parserOf(store.id) : undefined;
    try {
      if (found.fault !== undefined) throw new Error(found.fault);
      if (parser?.container === 'sqlite') await this.readDatabase(found, parser, input);
      else await this.readFile(found, parser, input);
    } catch (error) {
      if (this.settings.sink.signal?.aborted === true) throw error;
      // Only opening and copying get here; what a parser meets is handled unit by unit.
      entry.status = 'unread';
      const reader = this.unit(input, this.stampFacts(artifact, '', 0, entry.sha256, 0));
      reader.fault(`could not be read: ${faultText(error)}`);
      this.account(reader.report());
    }
  }

  /** Folders and files that could not be opened at all are rows too: their absence must show in the timeline. */
  unreadable({ file, what, read }: Trouble): void {
    const { host, user, toolVersion, sink } = this.settings;
    const used = this.said.get(file) ?? new Map<string, number>();
    this.said.set(file, used);
    sink.unit = this.nextUnit(user);
    sink.add(errorDraft(`${file}: ${troubleText(what, read)}`), {
      host,
      user,
      home: '',
      toolVersion,
      file,
      agent: '',
      table: '',
      rowid: 0,
      sha256: '',
      copy: 0,
      used,
    });
  }

  /** Adds what was read by a worker to its input. */
  account(report: UnitReport): void {
    const entry = this.inputs[report.input];
    if (entry === undefined) return;
    entry.rows += report.rows;
    entry.problems.push(...report.problems);
    if (report.opened !== undefined) Object.assign(entry, report.opened);
    if (report.unread === true) entry.status = 'unread';
  }

  /** Rows for units that no worker could finish. */
  failed(tasks: readonly UnitTask[], why: string): void {
    for (const task of tasks) {
      const reader = new UnitReader(this.settings.sink, { ...task.stamp, used: new Map() }, task.input, task.unit);
      reader.fault(`reading stopped: ${why}`);
      this.account(reader.report());
    }
  }

  /** Closes what workers needed, and says of each input how it went. */
  finish(): void {
    for (const snapshot of this.snapshots) snapshot.close();
    for (const { input, stamp } of this.reread.changed()) this.changed(input, stamp);
    for (const entry of this.inputs) {
      if (entry.status === 'parsed') entry.status = entry.problems.length > 0 ? 'partly_read' : entry.rows === 0 ? 'no_rows' : 'parsed';
    }
  }

  /** Said once, whoever noticed it. */
  private changed(input: number, stamp: StampFacts): void {
    if (this.entry(input).problems.some((problem) => problem.endsWith(CHANGED))) return;
    const reader = this.unit(input, stamp);
    reader.fault(CHANGED);
    this.account(reader.report());
  }

  private unit(input: number, stamp: StampFacts): UnitReader {
    return new UnitReader(this.settings.sink, { ...stamp, used: new Map() }, input, this.nextUnit(stamp.user));
  }

  private async readFile(found: Collected, parser: FileParser | undefined, input: number): Promise<void> {
    const { artifact, path } = found;
    if (parser !== undefined && this.canHandOut(found)) {
      this.handOut(found, parser, input, '', 0, { index: 0, count: 1 }, this.nextUnit(this.userOf(artifact)));
      return;
    }
    const readAgain = this.reread.before(found);
    const source = path === STDIN ? memoryFileSource(this.settings.stdin ?? Buffer.alloc(0), artifact) : openFileSource(path, artifact);
    try {
      this.note(input, source);
      if (parser === undefined) {
        this.entry(input).status = 'listed';
        this.entry(input).problems.push(...source.problems());
        return;
      }
      const copy = this.copyNumber(source.sha256);
      if (this.settings.pool !== undefined && parser.divisible === true && source.size >= SHARE_BYTES && path !== STDIN) {
        const count = source.size >= LARGE_BYTES ? 4 : 2;
        const unit = this.nextUnit(this.userOf(artifact));
        readAgain(input, this.stampFacts(artifact, '', 0, source.sha256, copy));
        for (let index = 0; index < count; index++) this.handOut(found, parser, input, source.sha256, copy, { index, count }, unit);
        return;
      }
      const companions = openCompanions(companionsOf(found, parser, this.settings.byFile));
      try {
        const reader = this.unit(input, this.stampFacts(artifact, '', 0, source.sha256, copy));
        await reader.drain(() => parser.parse(source, companions.files));
        for (const problem of [...companions.problems, ...source.problems()]) reader.fault(problem);
        this.account(reader.report());
      } finally {
        companions.close();
      }
    } finally {
      source.close();
    }
  }

  /** A file whose size no other has is no copy of another: it can be opened and hashed by the worker that reads it. */
  private canHandOut({ artifact, path, store }: Collected): boolean {
    const { pool, sizes } = this.settings;
    const parser = parserOf(store.id);
    const divided = parser?.container === 'file' && parser.divisible === true && artifact.size >= SHARE_BYTES;
    return pool !== undefined && path !== STDIN && !divided && sizes.get(artifact.size) === 1;
  }

  private handOut(found: Collected, parser: FileParser, input: number, sha256: string, copy: number, share: Share, unit: number): void {
    const { artifact, path } = found;
    const stamp = this.stampFacts(artifact, '', 0, sha256, copy);
    const companions = companionsOf(found, parser, this.settings.byFile);
    this.queue.add(
      { input, unit, parser: parser.id, stamp, what: { kind: 'file', path, artifact, share, companions } },
      artifact.size / share.count,
    );
  }

  private async readDatabase(found: Collected, parser: DatabaseParser, input: number): Promise<void> {
    const { artifact } = found;
    const readAgain = this.reread.before(found);
    const snapshot = openSnapshot(found.path, artifact, this.settings.scratch);
    let handedOut = false;
    try {
      this.note(input, snapshot);
      const entry = this.entry(input);
      entry.sidecars = snapshot.sidecars.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
      entry.tables = Object.fromEntries(snapshot.tables().map((table) => [table.name, table.rows]));
      const copy = this.copyNumber(snapshot.sha256);
      const stamp = (table: string, rowid: number) => this.stampFacts(artifact, table, rowid, snapshot.sha256, copy);
      const whole = this.unit(input, stamp('', 0));
      for (const what of [...(artifact.problems ?? []), ...snapshot.problems.map((problem) => problem.what)]) whole.fault(what);
      const units = unitsOf(parser, snapshot, artifact, whole);
      const values = units.filter((unit) => unit.rowid !== null);
      handedOut = this.settings.pool !== undefined && values.length > 0;
      for (const unit of units.filter((unit) => unit.table === '')) await whole.drain(() => parser.parse(snapshot, unit, artifact));
      this.account(whole.report());
      for (const unit of units.filter((unit) => unit.table !== '')) {
        const facts = stamp(unit.table, unit.rowid ?? 0);
        if (!handedOut || unit.rowid === null) {
          const reader = this.unit(input, facts);
          await reader.drain(() => parser.parse(snapshot, unit, artifact));
          this.account(reader.report());
          continue;
        }
        await this.room();
        this.queue.add(databaseTask(input, this.nextUnit(facts.user), parser, facts, snapshot, unit), unit.size);
      }
      const deleted = { ...stamp('', 0), scope: '\u0000deleted' };
      if (await this.recover(found, parser, input, deleted)) readAgain(input, deleted);
    } finally {
      if (handedOut) this.snapshots.push(snapshot);
      else snapshot.close();
    }
  }

  /** What the files hold besides the live rows; a task of its own. False where nobody looks. */
  private async recover(found: Collected, parser: DatabaseParser, input: number, stamp: StampFacts): Promise<boolean> {
    if (!this.settings.recover || parser.recover === undefined) return false;
    const side = (suffix: string) => found.sidecars.find((sidecar) => sidecar.suffix === suffix)?.path;
    const files = { main: found.path, wal: side('-wal'), journal: side('-journal') };
    const what = { kind: 'recovery', artifact: found.artifact, files } as const;
    this.scanned.push(found.artifact.file);
    if (this.settings.pool === undefined) {
      const reader = this.unit(input, stamp);
      await recoverUnit(reader, what, parser);
      this.account(reader.report());
    } else this.queue.add({ input, unit: this.nextUnit(stamp.user), parser: parser.id, stamp, what }, GROUP_BYTES);
    return true;
  }

  /** Waits while the workers have enough to do. */
  private async room(): Promise<void> {
    const room = this.settings.pool?.room();
    if (room !== undefined) await unlessAborted(room, this.settings.sink.signal);
  }

  /** Gives to the pool what is waiting for company. */
  flush(): void {
    this.queue.flush();
  }

  private entry(input: number): ManifestInput {
    const entry = this.inputs[input];
    if (entry === undefined) throw new Error('no such input');
    return entry;
  }

  private note(input: number, { sha256, size }: { readonly sha256: string; readonly size: number }): void {
    Object.assign(this.entry(input), { sha256, size });
  }

  private stampFacts(artifact: Artifact, table: string, rowid: number, sha256: string, copy: number): StampFacts {
    const { host, toolVersion } = this.settings;
    return {
      host,
      user: this.userOf(artifact),
      home: this.homeOf(artifact),
      agent: artifact.agent,
      file: artifact.file,
      table,
      rowid,
      sha256,
      copy,
      toolVersion,
      fileTime: artifact.mtime?.ms,
      echo: echoOf(artifact.store),
      doubt: artifact.problems?.join('; '),
    };
  }

  private userOf(artifact: Artifact): string {
    return this.settings.user || artifact.user;
  }

  private nextUnit(owner: string): number {
    this.owners.push(owner);
    return this.units++;
  }

  private copyNumber(sha256: string): number {
    const copy = this.copies.get(sha256) ?? 0;
    this.copies.set(sha256, copy + 1);
    return copy;
  }
}

function troubleText(what: string, read: Trouble['read']): string {
  return read === 'fully' ? what : `could not be read${read === 'partly' ? ' in full' : ''}: ${what}`;
}

function databaseTask(
  input: number,
  unit: number,
  parser: DatabaseParser,
  stamp: StampFacts,
  snapshot: Snapshot,
  value: DatabaseUnit,
): UnitTask {
  return { input, unit, parser: parser.id, stamp, what: { kind: 'database', snapshot: snapshot.description, unit: value } };
}

function unitsOf(parser: DatabaseParser, snapshot: Snapshot, artifact: Artifact, reader: UnitReader): readonly DatabaseUnit[] {
  try {
    return parser.units(snapshot, artifact);
  } catch (error) {
    reader.fault(`tables could not be listed: ${messageOf(error)}`);
    return [];
  }
}
