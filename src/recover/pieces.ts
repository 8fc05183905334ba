import { add, type Candidate, type Collector } from './collect.js';
import { sha256Of } from './keys.js';
import { deletedNames } from './named.js';
import { ROLE } from './roles.js';
import { smallRowsIn } from './small-rows.js';
import type { State } from './states.js';
import type { Region } from './types.js';

/** What lies wholly in one page: small rows, and names of conversations in the index. */
export function takePieces(collector: Collector, state: State): void {
  takeSmallRows(collector, state);
  takeNames(collector, state);
}

function takeSmallRows(collector: Collector, state: State): void {
  const { view } = state;
  const pages = state.map();
  for (let page = 1; page <= view.pageCount; page++) {
    const role = pages.roles[page];
    if (role === ROLE.overflow || role === ROLE.pointerMap || role === ROLE.lockByte) continue;
    for (const row of smallRowsIn(view, pages, page, 'dead')) {
      const piece = pieceOf(collector, state, page, row.from, row.to, row.sound);
      if (piece === undefined) continue;
      const around = row.kind === 'shell' ? {} : { key: row.name, size: row.to - row.from, rule: row.rule };
      add(collector, { ...piece, kind: row.kind, key: row.key, around, value: row.kind === 'shell' ? row.value : undefined });
    }
  }
}

function takeNames(collector: Collector, state: State): void {
  for (const { id, key, page, from, to } of deletedNames(state.view, state.map())) {
    const piece = pieceOf(collector, state, page, from, to, key.sound);
    if (piece !== undefined) add(collector, { ...piece, kind: 'head', key: `head:${id}`, id, directory: key.text });
  }
}

type Piece = Omit<Candidate, 'kind' | 'key'>;

/** `sound`: the header of its cell is whole and fits. */
function pieceOf(collector: Collector, { view, map }: State, page: number, from: number, to: number, sound: boolean): Piece | undefined {
  const image = view.locate(page);
  if (image === undefined) return undefined;
  const role = map().roles[page];
  const live = role === ROLE.leaf || role === ROLE.indexPage;
  const region: Region = role === ROLE.freeLeaf ? 'free-btree' : live ? 'unallocated' : 'unowned';
  collector.runs += 1;
  return {
    texts: [],
    links: [],
    id: '',
    directory: '',
    cwd: '',
    conversation: '',
    project: '',
    possible: [],
    sha256: sha256Of(view.part(page, from, to - from)),
    confidence: sound ? 'complete' : 'probable',
    region,
    slices: [{ file: image.file, offset: image.offset + from, length: to - from }],
    pages: [page],
    joins: [],
    doubts: 0,
    stop: 'end',
    generation: 0,
    commit: 0,
    around: {},
    problems: sound ? [] : ['the header of the cell is overwritten'],
    run: collector.runs,
    time: Number.NaN,
    value: undefined,
    copies: 0,
    variants: [],
  };
}
