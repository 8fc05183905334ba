/** A heap over a few items of which the first changes its place again and again. */
export class Heap<T> {
  constructor(
    private readonly items: T[],
    private readonly compare: (a: T, b: T) => number,
  ) {
    for (let i = (items.length >> 1) - 1; i >= 0; i--) this.sink(i);
  }

  get first(): T | undefined {
    return this.items[0];
  }

  /** To be called when the first item has changed. */
  renew(): void {
    this.sink(0);
  }

  removeFirst(): void {
    const last = this.items.pop();
    if (last === undefined || this.items.length === 0) return;
    this.items[0] = last;
    this.sink(0);
  }

  private sink(from: number): void {
    for (let i = from; ; ) {
      const item = this.items[i];
      let child = 2 * i + 1;
      let lower = this.items[child];
      if (item === undefined || lower === undefined) return;
      const right = this.items[child + 1];
      if (right !== undefined && this.compare(right, lower) < 0) {
        lower = right;
        child += 1;
      }
      if (this.compare(lower, item) >= 0) return;
      this.items[i] = lower;
      this.items[child] = item;
      i = child;
    }
  }
}
