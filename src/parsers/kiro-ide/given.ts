import { compact } from '../../evidence/json.js';

/** What a file has said already: texts by a key, and whole entries. */
export class Given {
  private readonly keys: Set<string>;
  /** By kind and id; the text of an entry, which may be long, is only made where a second one has the same. */
  private readonly entries = new Map<string, { entry: unknown; texts: Set<string> | undefined }>();

  constructor(keys: Iterable<string>) {
    this.keys = new Set(keys);
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  add(key: string): void {
    this.keys.add(key);
  }

  /** Whether the same entry was seen; if not, it counts as seen from now on where it is to be kept. */
  hasWhole(kind: string, id: string, entry: unknown, keep: boolean): boolean {
    const key = `${kind}\u0000${id}`;
    const known = this.entries.get(key);
    if (known === undefined) {
      if (keep) this.entries.set(key, { entry, texts: undefined });
      return false;
    }
    known.texts ??= new Set([compact(known.entry)]);
    const text = compact(entry);
    if (known.texts.has(text)) return true;
    if (keep) known.texts.add(text);
    return false;
  }
}
