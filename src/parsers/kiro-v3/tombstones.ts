import { readPayload, type StoredRecord } from './schema.js';

// A tombstone names the first record it takes out. The engine keeps a stack: records go on it, a tombstone takes off all down to
// the one it names, or none if that is not there. `checkpoint_revert` takes them out of the conversation, `summarization` only
// out of what the model is sent. Nothing is deleted from the file, and a later tombstone may name an earlier summary.

export interface Mark {
  readonly kind: string;
  /** Id of the tombstone. */
  readonly by: string;
}

export interface Tombstones {
  /** By number of the record in the file. */
  markOf(index: number): Mark | undefined;
  /** How many records a tombstone took out; undefined when the one it names is not there. */
  removedBy(index: number): number | undefined;
}

export class TombstoneSurvey implements Tombstones {
  private readonly stack: { readonly id: string; readonly index: number }[] = [];
  /** Places in the stack by record id, last one on top; from the first tombstone on, for most logs have none. */
  private places: Map<string, number[]> | undefined;
  private readonly marks = new Map<number, Mark>();
  private readonly removed = new Map<number, number>();

  add(record: StoredRecord, index: number): void {
    if (record.type === 'tombstone') this.bury(record, index);
    else {
      if (this.places !== undefined) note(this.places, record.id, this.stack.length);
      this.stack.push({ id: record.id, index });
    }
  }

  markOf(index: number): Mark | undefined {
    return this.marks.get(index);
  }

  removedBy(index: number): number | undefined {
    return this.removed.get(index);
  }

  private bury(record: StoredRecord, index: number): void {
    const { effectiveFromMessageId: from, kind } = readPayload('tombstone', record.payload).fields;
    if (this.places === undefined) {
      this.places = new Map();
      for (const [place, { id }] of this.stack.entries()) note(this.places, id, place);
    }
    const { places } = this;
    const place = from ? places.get(from)?.at(-1) : undefined;
    if (place === undefined) return;
    const mark = { kind: kind ?? '', by: record.id };
    const taken = this.stack.splice(place);
    for (const { id, index: at } of taken) {
      this.marks.set(at, mark);
      const held = places.get(id);
      held?.pop();
      if (held?.length === 0) places.delete(id);
    }
    this.removed.set(index, taken.length);
  }
}

function note(places: Map<string, number[]>, id: string, place: number): void {
  const held = places.get(id);
  if (held) held.push(place);
  else places.set(id, [place]);
}
