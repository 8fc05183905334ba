import type { ByteSource } from '../evidence/source.js';
import type { Geometry } from './geometry.js';
import type { FileRole, RecoveryInput } from './types.js';

/** Where the bytes of a page lie. */
export interface Image {
  readonly file: FileRole;
  readonly offset: number;
}

/** The database in one of its states: pages of the main file, some of them replaced by images from a log or a journal. */
export interface PageView {
  readonly geometry: Geometry;
  /** Highest page number that belongs to this state. */
  readonly pageCount: number;
  locate(page: number): Image | undefined;
  /** The page as far as it is there, reserved bytes left out; not to be kept over the next read. */
  read(page: number): Buffer;
  /** Part of a page. */
  part(page: number, offset: number, length: number): Buffer;
  /** The replaced pages. */
  readonly overlay: ReadonlyMap<number, Image>;
}

const NOTHING: Buffer = Buffer.alloc(0);

export function sourceOf(input: RecoveryInput, file: FileRole): ByteSource | undefined {
  return file === 'main' ? input.main : file === 'wal' ? input.wal : input.journal;
}

export function pageView(input: RecoveryInput, geometry: Geometry, overlay: ReadonlyMap<number, Image>, pageCount?: number): PageView {
  const { pageSize, usable } = geometry;
  const mainSize = input.main?.size ?? 0;
  const inFile = Math.ceil(mainSize / pageSize);
  let count = pageCount ?? inFile;
  if (pageCount === undefined) for (const page of overlay.keys()) if (page > count) count = page;
  const locate = (page: number): Image | undefined => {
    if (page < 1 || page > count) return undefined;
    const image = overlay.get(page);
    if (image !== undefined) return image;
    return page <= inFile ? { file: 'main', offset: (page - 1) * pageSize } : undefined;
  };
  const part = (page: number, offset: number, length: number): Buffer => {
    const image = locate(page);
    if (image === undefined) return NOTHING;
    const wanted = Math.min(length, usable - offset);
    return wanted <= 0 ? NOTHING : (sourceOf(input, image.file)?.read(image.offset + offset, wanted) ?? NOTHING);
  };
  return { geometry, pageCount: count, locate, part, read: (page) => part(page, 0, usable), overlay };
}
