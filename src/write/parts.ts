import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileOutput, type Output, standardOutput } from './output.js';
import { UsageError } from './usage-error.js';

/** A file that was written, or what went to standard output. */
export interface Written {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The output of a timeline: one file, or several where a file holds only so many rows. */
export interface Parts {
  write(bytes: Uint8Array): boolean;
  /** Goes on in a further file. */
  next(): void;
  finish(): Written[];
  discard(): void;
}

/** Standard output is one stream whatever its length. */
export function openParts(path: string, force: boolean, divided: boolean): Parts {
  if (path === '-') {
    const output = standardOutput();
    return partsOf(path, output, () => ({ path, output }));
  }
  // Said before the work: a part that is in the way would be met only at the end of it.
  const second = partName(path, 2);
  if (divided && !force && existsSync(second)) throw new UsageError(`output exists: ${second} (use --force to replace it)`);
  return partsOf(path, fileOutput(path, force), (number) => ({
    path: partName(path, number),
    output: fileOutput(partName(path, number), force),
  }));
}

/** `name.csv`, `name-2.csv`, `name-3.csv`. */
function partName(path: string, number: number): string {
  const ending = extname(path);
  return join(dirname(path), `${basename(path, ending)}-${number}${ending}`);
}

type Part = { readonly path: string; readonly output: Output };

function partsOf(path: string, output: Output, further: (number: number) => Part): Parts {
  const parts: Part[] = [{ path, output }];
  let current = output;
  return {
    write: (bytes) => current.write(bytes),
    next() {
      const part = further(parts.length + 1);
      parts.push(part);
      current = part.output;
    },
    finish: () => parts.map((part) => ({ path: part.path, ...part.output.finish() })),
    discard() {
      for (const part of parts) part.output.discard();
    },
  };
}
