import { readlinkSync } from 'node:fs';
import { openRegular, readFully } from '../evidence/open.js';
import { escapeUnsafe, showBytes } from '../rows/problem.js';
import { type FileFacts, factsOf } from './artifact.js';
import { type Detector, sniff } from './sniff.js';
import { type Entry, list } from './walk.js';

type Path = Entry['path'];

/** Folders and files, wherever they lie: on the disk, or in an archive. All but `list` may throw what keeps a file from being read. */
export interface Tree {
  /** Entries of a folder by name, or what kept it from being read. */
  list(folder: Path): readonly Entry[] | { readonly fault: string };
  facts(file: Path): FileFacts;
  /** Id of the store whose detector knows the beginning of the file. */
  sniff(file: Path, detectors: readonly Detector[]): string | undefined;
  /** The first 64 KiB of a small settings file. */
  head(file: Path): Buffer;
  /** Where a link leads, safe to print. */
  target(link: Path): string;
}

const HEAD = 64 << 10;

export const DISK: Tree = {
  list,
  facts: factsOf,
  sniff,
  head(path) {
    const file = openRegular(path);
    try {
      return readFully(file.fd, Buffer.allocUnsafe(Math.min(HEAD, file.size)), 0);
    } finally {
      file.close();
    }
  },
  target: (path) => escapeUnsafe(showBytes(readlinkSync(path, { encoding: 'buffer' }))),
};
