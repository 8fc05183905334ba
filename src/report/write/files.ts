import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileOutput, type Output } from '../../write/output.js';
import { setAside, temporaryName } from '../../write/temporary.js';
import { UsageError } from '../../write/usage-error.js';

const PART = /^part-\d{3}\.html$/;

/**
 * The files of one report: a page, and beside it a folder of parts where the rows fill several. Everything lies under a temporary
 * name until all of it is written; then the folder is put in place, and the page last. Parts of an earlier report go with it.
 */
export class ReportFiles {
  readonly page: Output;
  /** Name of the folder of parts. */
  readonly folderName: string;
  private readonly folder: string;
  private readonly temporary: string;
  private readonly old: string;
  private readonly replaces: boolean;
  private readonly open: Output[] = [];
  private made = false;

  constructor(
    readonly path: string,
    force: boolean,
  ) {
    this.folderName = partsFolder(path);
    this.folder = join(dirname(path), this.folderName);
    this.temporary = temporaryName(this.folder, 'partial');
    this.old = temporaryName(this.folder, 'old');
    putBack(this.folder);
    this.replaces = earlierParts(this.folder, force);
    this.page = fileOutput(path, force);
  }

  /** Address of a part as seen from the page. */
  hrefOf(number: number): string {
    return `${encodeURIComponent(this.folderName)}/${partName(number)}`;
  }

  /** Address of the page as seen from a part. */
  get indexHref(): string {
    return `../${encodeURIComponent(basename(this.path))}`;
  }

  part(number: number): Output {
    if (!this.made) {
      rmSync(this.temporary, { recursive: true, force: true });
      mkdirSync(this.temporary, { mode: 0o700 });
      this.made = true;
    }
    const output = fileOutput(join(this.temporary, partName(number)), false);
    this.open.push(output);
    return output;
  }

  finish(): void {
    if (this.replaces) renameSync(this.folder, this.old);
    try {
      if (this.made) renameSync(this.temporary, this.folder);
      this.page.finish();
    } catch (error) {
      if (this.made) rmSync(this.folder, { recursive: true, force: true });
      if (this.replaces) renameSync(this.old, this.folder);
      throw error;
    }
    rmSync(this.old, { recursive: true, force: true });
  }

  /** Leaves nothing unfinished behind; may be called at any time. */
  discard(): void {
    this.page.discard();
    for (const output of this.open) output.discard();
    if (this.made) rmSync(this.temporary, { recursive: true, force: true });
  }
}

/** A run that was killed while it replaced parts has left them aside: they are the parts still, if no others came into their place. */
function putBack(folder: string): void {
  for (const aside of setAside(folder)) {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) renameSync(aside, folder);
    else rmSync(aside, { recursive: true, force: true });
  }
}

/** Folder of the parts of a page: `case-parts` beside `case.html`. */
export function partsFolder(path: string): string {
  return `${basename(path).replace(/\.html?$/i, '')}-parts`;
}

const partName = (number: number) => `part-${String(number).padStart(3, '0')}.html`;

/** Whether parts of an earlier report lie there. They are replaced only when that is asked for, and only if nothing else is with them. */
function earlierParts(folder: string, force: boolean): boolean {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there === undefined) return false;
  if (!there.isDirectory()) throw new UsageError(`the place for the parts of the report is taken: ${folder}`);
  if (!force) throw new UsageError(`output exists: ${folder} (use --force to replace it)`);
  const other = readdirSync(folder, { withFileTypes: true }).find((entry) => !entry.isFile() || !PART.test(entry.name));
  if (other !== undefined) throw new UsageError(`${folder} holds more than parts of a report: ${other.name}`);
  return true;
}
