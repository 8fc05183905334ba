import type { UnpackedFile } from '../../evidence/archive/unpack.js';
import { escapeUnsafe } from '../../rows/problem.js';
import type { Instant } from '../../rows/time.js';
import type { FileFacts } from '../artifact.js';
import { archiveFolder, type Folder, subfolder } from '../folder.js';
import type { PlaceIndex } from '../place.js';
import { isPassedOver } from '../reach.js';
import type { Tree } from '../tree.js';
import type { Entry } from '../walk.js';

/** A file in an archive, and what became of it. */
export interface FileNode {
  /** Number of the member, in the order of the archive. */
  readonly index: number;
  readonly size: number;
  readonly mtime: Instant | undefined;
  /** 1 for the first file of its name in its folder, 2 for the next. */
  readonly ordinal: number;
  readonly doubts: string[];
  fault?: string | undefined;
  /** Store that knows it by its beginning. */
  store?: string | undefined;
  /** Beginning of a settings file. */
  head?: Buffer | undefined;
  unpacked?: UnpackedFile | undefined;
  /** The file that this is another name of. */
  readonly same?: FileNode | undefined;
  /** It has other names. */
  linked?: boolean;
}

export interface FolderNode {
  readonly place: Folder;
  /** Not entered: nothing in it is kept. */
  readonly closed: boolean;
  readonly folders: Map<string, FolderNode>;
  readonly entries: Entry[];
  /** The latest file of each name. */
  readonly files: Map<string, FileNode>;
}

/**
 * The members of an archive as folders and files. A second file of a name lies in a second layer, so that all its
 * neighbours are the second of their names, too: a log added with its database belongs to that one.
 */
export class MemberTree implements Tree {
  private readonly layers: FolderNode[] = [];
  private readonly nodes: (FolderNode | FileNode | { readonly target: string })[] = [];

  constructor(
    /** Put ahead of the names of members: `collection.zip!/`. */
    readonly prefix: string,
    private readonly name: string,
    private readonly places: PlaceIndex,
    private readonly allFiles: boolean,
  ) {
    this.layer(1);
  }

  /** Roots to walk, one for each layer. */
  get roots(): Folder[] {
    return this.layers.map(({ place }) => place);
  }

  /** The folder of these components, made if need be; undefined below one that is not entered. */
  folder(parts: readonly string[], layer = 1): FolderNode | undefined {
    let at = this.layer(layer);
    for (const name of parts) {
      if (at.closed) return undefined;
      at = at.folders.get(name) ?? this.addFolder(at, name);
    }
    return at.closed ? undefined : at;
  }

  /** Adds a file; of several of one name each goes into a layer of its own. */
  addFile(folder: FolderNode, parts: readonly string[], facts: Omit<FileNode, 'ordinal'>): FileNode {
    const name = parts.at(-1) ?? '';
    const ordinal = (folder.files.get(name)?.ordinal ?? 0) + 1;
    const node: FileNode = { ...facts, ordinal };
    folder.files.set(name, node);
    const layered = ordinal === 1 ? folder : this.folder(parts.slice(0, -1), ordinal);
    layered?.entries.push({ name, shown: shownName(name, ordinal), path: this.keep(node), kind: 'file' });
    return node;
  }

  addOther(folder: FolderNode, name: string, kind: 'link' | 'fifo' | 'device' | 'unknown', target = ''): void {
    folder.entries.push({ name, shown: escapeUnsafe(name), path: this.keep({ target }), kind });
  }

  /** A file that another name leads to. */
  find(parts: readonly string[]): FileNode | undefined {
    return this.folder(parts.slice(0, -1))?.files.get(parts.at(-1) ?? '');
  }

  /** The file at a place of this tree, under whatever name. */
  file(path: Entry['path']): FileNode {
    const node = this.nodes[Number(path)];
    if (node === undefined || !('index' in node)) throw new Error('no such file in the archive');
    return node.same ?? node;
  }

  list(path: Entry['path']): readonly Entry[] {
    const node = this.nodes[Number(path)];
    return node === undefined || !('entries' in node) ? [] : node.entries.sort((a, b) => (a.shown < b.shown ? -1 : 1));
  }

  facts(path: Entry['path']): FileFacts {
    const node = this.file(path);
    return { size: node.size, mtime: node.mtime, shared: node.linked === true ? `${this.prefix}${node.index}` : undefined };
  }

  /** Beginnings were looked at when the archive was listed. */
  sniff(path: Entry['path']): string | undefined {
    const node = this.file(path);
    if (node.fault !== undefined && node.unpacked === undefined) throw new Error(node.fault);
    return node.store;
  }

  head(path: Entry['path']): Buffer {
    return this.file(path).head ?? Buffer.alloc(0);
  }

  target(path: Entry['path']): string {
    const node = this.nodes[Number(path)];
    return node !== undefined && 'target' in node ? node.target : '';
  }

  private layer(number: number): FolderNode {
    const known = this.layers[number - 1];
    if (known !== undefined) return known;
    const made = this.make(archiveFolder(String(this.nodes.length), this.prefix, this.name), false);
    this.layers.push(made);
    return made;
  }

  private addFolder(parent: FolderNode, name: string): FolderNode {
    const entry: Entry = { name, shown: escapeUnsafe(name), path: String(this.nodes.length), kind: 'folder' };
    const place = subfolder(parent.place, entry);
    const closed = !this.allFiles && isPassedOver(parent.place, place, name, this.places);
    const node = this.make(place, closed);
    parent.folders.set(name, node);
    parent.entries.push(entry);
    return node;
  }

  private make(place: Folder, closed: boolean): FolderNode {
    const node: FolderNode = { place, closed, folders: new Map(), entries: [], files: new Map() };
    this.nodes.push(node);
    return node;
  }

  private keep(node: FileNode | { readonly target: string }): string {
    this.nodes.push(node);
    return String(this.nodes.length - 1);
  }
}

export function shownName(name: string, ordinal: number): string {
  return ordinal === 1 ? escapeUnsafe(name) : `${escapeUnsafe(name)}#${ordinal}`;
}
