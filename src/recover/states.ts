import { type Geometry, readGeometry } from './geometry.js';
import { type Journal, journalPageSize, readJournal } from './journal.js';
import { mapPages } from './page-map.js';
import type { PageMap } from './roles.js';
import type { RecoveryInput } from './types.js';
import { type Image, type PageView, pageView } from './view.js';
import { readWal, type Wal, walPageSize } from './wal.js';

export interface State {
  readonly view: PageView;
  /** Made when it is first asked for. */
  map(): PageMap;
}

/** The states that the files of a store hold at once. */
export interface States {
  readonly input: RecoveryInput;
  readonly geometry: Geometry;
  readonly wal: Wal | undefined;
  readonly journal: Journal | undefined;
  /** What a reader sees: log applied, or hot journal rolled back. */
  readonly live: State;
  /** The main file alone; the same object as `live` when nothing lies over it. */
  readonly file: State;
  /** The log belongs to another page size, so that its pages cannot lie over the main file. */
  readonly strangeWal: boolean;
  readonly problems: readonly string[];
}

export function openStates(input: RecoveryInput): States {
  const hints = [walPageSize(input.wal), journalPageSize(input.journal)];
  const geometry = readGeometry(input.main, hints);
  const { pageSize } = geometry;
  const problems: string[] = [];
  if (input.main !== undefined && !geometry.sound) {
    problems.push(input.main.size === 0 ? 'the file is empty (0 bytes)' : `the file header is damaged; page size taken as ${pageSize}`);
  }
  if (input.main !== undefined && input.main.size % pageSize !== 0) problems.push('the file ends inside a page: it was cut');
  if (!geometry.utf8) problems.push('the database stores text as UTF-16: it is searched as it is');
  const logPageSize = walPageSize(input.wal);
  const strangeWal = logPageSize !== 0 && logPageSize !== pageSize;
  if (strangeWal) problems.push(`the log has pages of ${logPageSize} bytes, the database of ${pageSize}: it belongs to another database`);
  const wal = input.wal === undefined ? undefined : readWal(input.wal, logPageSize || pageSize);
  const journal = input.journal === undefined ? undefined : readJournal(input.journal, journalPageSize(input.journal) || pageSize);
  problems.push(...(wal?.problems ?? []), ...(journal?.problems ?? []));

  const file = stateOf(pageView(input, geometry, new Map()));
  const overlay = overlayOf(strangeWal ? undefined : wal, journal, pageSize);
  const live = overlay === undefined ? file : stateOf(pageView(input, merged(input, geometry, overlay), overlay.pages, overlay.count));
  return { input, geometry, wal, journal, live, file, strangeWal, problems };
}

interface Overlay {
  readonly pages: ReadonlyMap<number, Image>;
  readonly count: number | undefined;
}

function overlayOf(wal: Wal | undefined, journal: Journal | undefined, pageSize: number): Overlay | undefined {
  const current = wal?.generations.find((generation) => generation.current);
  if (current !== undefined && current.committed > 0) {
    const pages = new Map<number, Image>();
    for (const { page, offset } of current.frames.slice(0, current.committed)) pages.set(page, { file: 'wal', offset });
    return { pages, count: current.frames[current.committed - 1]?.commitSize };
  }
  if (journal?.hot && journal.pageSize === pageSize && journal.images.size > 0) {
    return { pages: journal.images, count: journal.pageCount > 0 ? journal.pageCount : undefined };
  }
  return undefined;
}

/** Page 1 may lie in the overlay: its header holds the freelist of the merged state. */
function merged(input: RecoveryInput, geometry: Geometry, overlay: Overlay): Geometry {
  const image = overlay.pages.get(1);
  if (image === undefined) return geometry;
  const source = image.file === 'wal' ? input.wal : input.journal;
  if (source === undefined) return geometry;
  const page = Buffer.from(source.read(image.offset, 100));
  const read = readGeometry({ size: 100, read: (offset, length) => page.subarray(offset, offset + length) }, []);
  return read.sound && read.pageSize === geometry.pageSize ? read : geometry;
}

function stateOf(view: PageView): State {
  let map: PageMap | undefined;
  return {
    view,
    map() {
      map ??= mapPages(view);
      return map;
    },
  };
}
