/** Says which row of an earlier timeline a row repeats. Typed arrays, open addressing: about 60 bytes for each row. */
export class KnownRows {
  private slots = 1024;
  private size = 0;
  /** Mark, id and number of the timeline that last used an entry; a slot of input -1 is free. */
  private keys = new BigUint64Array(this.slots);
  private ids = new BigUint64Array(this.slots);
  private inputs = new Int32Array(this.slots).fill(-1);

  /**
   * Takes a row of the timeline `input` (timelines one after the other). Returns the id of the row that it repeats, or undefined for
   * a new one. Two equal rows of one timeline are two events: the second of one repeats the second of another.
   */
  take(mark: (nth: number) => bigint, id: bigint, input: number): bigint | undefined {
    for (let nth = 0; nth < MOST_EQUAL; nth++) {
      const key = mark(nth);
      const slot = this.find(key);
      if (this.inputs[slot] === -1) {
        this.put(slot, key, id, input);
        return undefined;
      }
      if (this.inputs[slot] === input) continue;
      this.inputs[slot] = input;
      return this.ids[slot];
    }
    return undefined;
  }

  private put(slot: number, key: bigint, id: bigint, input: number): void {
    this.keys[slot] = key;
    this.ids[slot] = id;
    this.inputs[slot] = input;
    this.size += 1;
    if (this.size * 2 > this.slots) this.grow();
  }

  private find(key: bigint): number {
    for (let slot = Number(key & 0xffffffffn) & (this.slots - 1); ; slot = (slot + 1) & (this.slots - 1))
      if (this.inputs[slot] === -1 || this.keys[slot] === key) return slot;
  }

  private grow(): void {
    const [keys, ids, inputs] = [this.keys, this.ids, this.inputs];
    this.slots *= 2;
    this.keys = new BigUint64Array(this.slots);
    this.ids = new BigUint64Array(this.slots);
    this.inputs = new Int32Array(this.slots).fill(-1);
    for (const [i, input] of inputs.entries()) {
      if (input === -1) continue;
      const slot = this.find(keys[i] ?? 0n);
      this.keys[slot] = keys[i] ?? 0n;
      this.ids[slot] = ids[i] ?? 0n;
      this.inputs[slot] = input;
    }
  }
}

/** Equal rows of one timeline beyond this number are not compared with those of others. */
const MOST_EQUAL = 1000;
