/**
 * A window over any number of rows of one height: as many row elements as fit the screen, whose texts are replaced while the reader
 * scrolls. Elements are never made or thrown away by scrolling, which is what keeps it smooth.
 */
const SPARE = 6;
/** Browsers end elements at 16 to 33 million pixels; beyond this the scroll position is scaled. */
const TALLEST = 15_000_000;

export interface RowElement {
  readonly element: HTMLElement;
  /** Fills the element with the row at this place of the list. */
  fill(place: number): void;
}

export class RowWindow {
  private readonly pool: { readonly row: RowElement; place: number }[] = [];
  private size = 0;
  private top = 0;
  private frame = 0;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly spacer: HTMLElement,
    private readonly rowHeight: () => number,
    private readonly make: () => RowElement,
    private readonly onShown: (first: number, last: number) => void,
  ) {
    scroller.addEventListener('scroll', this.later, { passive: true });
    this.observer = new ResizeObserver(() => this.draw(true));
    this.observer.observe(scroller);
  }

  /** Another list: everything shown is drawn anew. */
  reset(size: number): void {
    this.size = size;
    this.draw(true);
  }

  refresh(): void {
    this.draw(true);
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.later);
  }

  /** Brings a place into view: in the middle, or just inside. */
  show(place: number, centre: boolean): void {
    const height = this.rowHeight();
    const view = this.scroller.clientHeight;
    const at = place * height;
    const from = this.scroller.scrollTop * this.scale();
    const inside = at >= from && at + height <= from + view;
    if (inside && !centre) return;
    const wanted = centre ? at - (view - height) / 2 : at < from ? at : at + height - view;
    this.scroller.scrollTop = Math.max(0, wanted / this.scale());
    this.draw(false);
  }

  get pageRows(): number {
    return Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight()) - 1);
  }

  private readonly later = () => {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw(false));
  };

  private scale(): number {
    const full = this.size * this.rowHeight();
    const view = this.scroller.clientHeight;
    return full <= TALLEST ? 1 : (full - view) / Math.max(1, TALLEST - view);
  }

  private draw(anew: boolean): void {
    const height = this.rowHeight();
    const view = this.scroller.clientHeight;
    if (view === 0) return;
    const scale = this.scale();
    this.spacer.style.height = `${Math.min(this.size * height, TALLEST)}px`;
    const scrolled = this.scroller.scrollTop;
    this.top = scrolled * scale;
    const first = Math.max(0, Math.floor(this.top / height) - SPARE);
    const last = Math.min(this.size, Math.ceil((this.top + view) / height) + SPARE);
    this.grow(Math.ceil(view / height) + 2 * SPARE + 1);
    for (let place = first; place < last; place++) {
      const slot = this.pool[place % this.pool.length];
      if (slot === undefined) continue;
      // With a scaled position the offset changes with every step; else it is the row's own place.
      slot.row.element.style.transform = `translateY(${scale === 1 ? place * height : Math.round(scrolled + place * height - this.top)}px)`;
      if (slot.place === place && !anew) continue;
      slot.place = place;
      slot.row.element.hidden = false;
      slot.row.fill(place);
    }
    for (const slot of this.pool) {
      if (slot.place >= first && slot.place < last) continue;
      slot.place = -1;
      slot.row.element.hidden = true;
    }
    this.onShown(first, last);
  }

  private grow(wanted: number): void {
    if (this.pool.length >= wanted) return;
    // Slots go by place modulo their number, so a larger pool is dealt anew.
    for (const slot of this.pool) slot.place = -1;
    while (this.pool.length < wanted) {
      const row = this.make();
      this.pool.push({ row, place: -1 });
      this.spacer.append(row.element);
    }
  }
}
