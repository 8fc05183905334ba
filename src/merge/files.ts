import type { Row } from '../rows/row.js';
import { flipped, idOfCopy, shortHash } from '../rows/stamp.js';

/** A file as one timeline numbered it, and as the whole case would. */
interface Copy {
  readonly own: number;
  readonly whole: number;
}

/**
 * Files of the same bytes in several timelines. Row ids are made of the bytes and the place in them, so such files have the same ids
 * in each run; a run over all of them would have numbered the copies through, and so does this.
 */
export class Files {
  private readonly inputs: Map<string, Set<string>>[] = [];
  private readonly copies: Map<string, Copy>[] = [];

  /** Notes the file of a row of the timeline `input`. */
  note(input: number, { source_sha256, source_file }: Row): void {
    this.inputs[input] ??= new Map();
    if (source_sha256 === '') return;
    const files = this.inputs[input].get(source_sha256);
    if (files === undefined) this.inputs[input].set(source_sha256, new Set([source_file]));
    else files.add(source_file);
  }

  /** To be called when all rows were noted. */
  number(): void {
    const before = new Map<string, number>();
    for (const [input, bySha] of this.inputs.entries()) {
      const copies = new Map<string, Copy>();
      for (const [sha, files] of bySha ?? []) {
        const earlier = before.get(sha) ?? 0;
        const sorted = [...files].sort();
        for (const [own, file] of sorted.entries()) if (own + earlier > 0) copies.set(`${sha}\u0000${file}`, { own, whole: own + earlier });
        before.set(sha, earlier + files.size);
      }
      this.copies[input] = copies;
    }
  }

  /** Id of a row in the whole case. */
  idOf(input: number, label: string, row: Row): string {
    // A file that could not be hashed is known by its path alone, which another machine may have as well.
    if (row.source_sha256 === '') return flipped(row.row_id, shortHash(`timeline ${label}`));
    const copy = this.copyOf(input, row);
    return copy === undefined ? row.row_id : idOfCopy(idOfCopy(row.row_id, copy.own), copy.whole);
  }

  /** Id of the row at this place in the first file of these bytes. */
  placeOf(input: number, row: Row): string {
    const copy = this.copyOf(input, row);
    return copy === undefined ? row.row_id : idOfCopy(row.row_id, copy.own);
  }

  private copyOf(input: number, row: Row): Copy | undefined {
    return this.copies[input]?.get(`${row.source_sha256}\u0000${row.source_file}`);
  }
}
