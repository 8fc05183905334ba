/** What the page knows at one moment. Views draw it; only the model changes it. */
import type { BlockKind } from '../../format.js';
import type { Hits } from '../data/client.js';
import type { Facet } from '../data/facets.js';
import type { Span } from '../data/filter.js';
import type { Place } from '../data/place.js';
import type { Summary, Tables } from '../data/tables.js';
import type { Timeline } from '../data/timeline.js';

export interface Broken {
  readonly kind: BlockKind;
  readonly index: number;
  readonly first: number;
  readonly rows: number;
  readonly reason: string;
}

/** Everything known once the rows are there. */
export interface Loaded {
  readonly timeline: Timeline;
  /** Group of BIN_GROUPS, row by row. */
  readonly groups: Uint8Array;
  readonly span: Span | null;
  readonly facets: readonly Facet[];
  /** Findings on each row, see `levelsOf`; absent until the tables are there. */
  readonly levels: Uint8Array | null;
}

export interface Search {
  readonly query: string;
  readonly expression: boolean;
  readonly hits: Hits | null;
  readonly ms: number;
}

export interface State {
  readonly summary: Summary;
  readonly place: Place;
  readonly loaded: Loaded | null;
  readonly tables: Tables | null;
  /** Blocks dealt with, good or broken. */
  readonly read: number;
  readonly textsRead: number;
  /** The whole file was parsed. */
  readonly ended: boolean;
  readonly broken: readonly Broken[];
  readonly search: Search | null;
  readonly singleKeys: boolean;
  readonly help: boolean;
  /** Spoken by the status line. */
  readonly said: string;
}

export const textBlocks = ({ summary }: State): number => summary.blocks.filter(({ kind }) => kind === 'text').length;
