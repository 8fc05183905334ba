/** The state of the page in one place, and the few ways in which it changes. */

import type { ReportTables } from '../../format.js';
import { Client, type StartWorker } from '../data/client.js';
import { facetsOf } from '../data/facets.js';
import { spanOf } from '../data/filter.js';
import { parseHot } from '../data/hot-block.js';
import { groupsOf } from '../data/kinds.js';
import { fragmentOf, type Place, placeOf } from '../data/place.js';
import { levelsOf, type Summary } from '../data/tables.js';
import { Timeline } from '../data/timeline.js';
import { type Branded, brandedJson } from '../text/raw.js';
import type { ReadBlock } from '../worker/protocol.js';
import { type Broken, type Search, type State, textBlocks } from './state.js';

const DEBOUNCE_MS = 120;
/** While texts still come in, a search is repeated after so many blocks. */
const REPEAT_BLOCKS = 64;

export class Model {
  readonly client: Client;
  private current: State;
  private readonly listeners = new Set<() => void>();
  private debounce = 0;

  constructor(summary: Summary, start: StartWorker) {
    this.current = {
      summary,
      place: placeOf(location.hash),
      loaded: null,
      tables: null,
      read: 0,
      textsRead: 0,
      ended: false,
      broken: [],
      search: null,
      singleKeys: true,
      help: false,
      said: '',
    };
    this.client = new Client(start, {
      hot: (bytes) => this.takeRows(bytes),
      tables: (json) => this.takeTables(brandedJson<ReportTables>(json)),
      read: (block) => this.takeRead(block),
    });
    addEventListener('hashchange', () => this.set({ place: placeOf(location.hash) }));
  }

  get state(): State {
    return this.current;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  set(patch: Partial<State>): void {
    const before = this.current;
    this.current = { ...before, ...patch };
    for (const listener of [...this.listeners]) listener();
    const { place } = this.current;
    if (place.query !== before.place.query || place.expression !== before.place.expression) this.searchSoon();
  }

  say(said: string): void {
    this.set({ said });
  }

  /** To another place, with a step in the browser's history. */
  go(patch: Partial<Place>): void {
    const place = { ...this.current.place, ...patch };
    const fragment = fragmentOf(place);
    if (fragment === location.hash) this.set({ place });
    else {
      history.pushState(null, '', fragment);
      this.set({ place });
    }
  }

  /** A change within a place: the fragment follows, the history does not grow. */
  adjust(patch: Partial<Place>): void {
    const place = { ...this.current.place, ...patch };
    history.replaceState(null, '', fragmentOf(place));
    this.set({ place });
  }

  /** Texts went in, or the whole file was seen. */
  end(): void {
    this.set({ ended: true });
    const { summary, loaded } = this.current;
    if (loaded === null && !summary.blocks.some(({ kind }) => kind === 'hot')) this.set({ read: summary.blocks.length });
  }

  /** A block that the summary names and the file does not hold. */
  miss(missing: readonly Broken[]): void {
    if (missing.length > 0) this.set({ broken: [...this.current.broken, ...missing], read: this.current.read + missing.length });
  }

  private takeRows(bytes: ArrayBuffer): void {
    const timeline = new Timeline(parseHot(bytes));
    const levels = this.current.tables === null ? null : levelsOf(this.current.tables.findings, timeline.rows);
    const facets = facetsOf(timeline, levels);
    this.set({ loaded: { timeline, groups: groupsOf(timeline), span: spanOf(timeline.time), facets, levels } });
    if (this.current.place.query !== '') this.searchSoon();
  }

  private takeTables(tables: Branded<ReportTables>): void {
    const { loaded } = this.current;
    if (loaded === null) return this.set({ tables });
    const levels = levelsOf(tables.findings, loaded.timeline.rows);
    this.set({ tables, loaded: { ...loaded, levels, facets: facetsOf(loaded.timeline, levels) } });
  }

  private takeRead({ kind, index, broken }: ReadBlock): void {
    const known = this.current.summary.blocks.find((block) => block.kind === kind && block.index === index);
    const faults = broken === '' || known === undefined ? [] : [{ ...known, reason: broken }];
    const textsRead = this.current.textsRead + (kind === 'text' ? 1 : 0);
    this.set({ read: this.current.read + 1, textsRead, broken: [...this.current.broken, ...faults] });
    if (kind === 'text' && this.current.search !== null && (textsRead % REPEAT_BLOCKS === 0 || textsRead === textBlocks(this.current)))
      this.searchSoon();
  }

  private searchSoon(): void {
    clearTimeout(this.debounce);
    const { query } = this.current.place;
    if (query === '') this.set({ search: null });
    else this.debounce = window.setTimeout(() => void this.runSearch(), DEBOUNCE_MS);
  }

  private async runSearch(): Promise<void> {
    const { query, expression } = this.current.place;
    const started = performance.now();
    const search: Search = { query, expression, hits: this.current.search?.hits ?? null, ms: 0 };
    this.set({ search });
    const hits = expression ? await this.client.match(query) : await this.client.search(query);
    const { place } = this.current;
    if (place.query !== query || place.expression !== expression) return;
    this.set({ search: { ...search, hits, ms: Math.round(performance.now() - started) } });
  }
}
