import { type Archive, ArchiveFault, type ArchiveLimits, type Member } from '../../evidence/archive/member.js';
import type { Oddity } from '../../evidence/archive/name.js';
import { cleanName } from '../../evidence/archive/name.js';
import type { Unpacker } from '../../evidence/archive/unpack.js';
import { faultText } from '../../evidence/fault.js';
import { excerpt } from '../../rows/problem.js';
import type { ArchiveReport, Trouble } from '../collection.js';
import type { PlaceIndex } from '../place.js';
import { type Detector, SNIFFED } from '../sniff.js';
import { Head, interestIn, isForgettable, sniffHead } from './look.js';
import { type FileNode, type FolderNode, type MemberTree, shownName } from './member-tree.js';

export interface ListContext {
  readonly places: PlaceIndex;
  readonly detectors: readonly Detector[];
  readonly limits: ArchiveLimits;
  readonly unpacker: Unpacker;
  /** Ends the listing when it is aborted. */
  readonly signal: AbortSignal | undefined;
  /** 1 for an archive that lies on the disk. */
  readonly depth: number;
}

/** What one pass over an archive found. */
export interface Listed {
  readonly members: number;
  readonly troubles: readonly Trouble[];
  readonly leftOut: Readonly<Record<string, number>>;
  readonly renamed: ArchiveReport['renamed'];
  /** Archives in it, unpacked. */
  readonly inner: readonly { readonly file: string; readonly parts: readonly string[]; readonly path: string }[];
}

const MOST_NAMED = 1000;
const TURN = 4096;
/** What only a hostile or broken archive holds; the others are habits of some collectors. */
const BAD: readonly Oddity[] = ['leads out of the archive', 'zero byte'];

/** Lists an archive in one pass, and unpacks on the way what is wanted for sure. */
export async function listArchive(archive: Archive, file: string, tree: MemberTree, context: ListContext): Promise<Listed> {
  const lister = new Lister(file, tree, context, archive.format === 'zip');
  try {
    for await (const member of archive.members()) {
      if (lister.members >= context.limits.members) {
        lister.say({ file, what: `more than ${context.limits.members} members: the rest was not listed`, read: 'partly' });
        break;
      }
      await lister.take(member);
      context.signal?.throwIfAborted();
      // Signals are delivered only between turns of the event loop.
      if (lister.members % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    const what = error instanceof ArchiveFault ? error.message : faultText(error);
    lister.say({ file, what: `${what}; its first ${lister.members} members were listed`, read: 'partly' });
  }
  for (const what of archive.problems) lister.say({ file, what, read: 'fully' });
  return lister.result();
}

class Lister {
  members = 0;
  private readonly troubles: Trouble[] = [];
  private unnamed = 0;
  private readonly leftOut = new Map<string, number>();
  private readonly renamed: ArchiveReport['renamed'][number][] = [];
  private readonly inner: Listed['inner'][number][] = [];

  constructor(
    private readonly file: string,
    private readonly tree: MemberTree,
    private readonly context: ListContext,
    /** Files of no interest need not be kept: nothing can lead to them. */
    private readonly forgets: boolean,
  ) {}

  say(trouble: Trouble): void {
    if (this.troubles.length < MOST_NAMED) this.troubles.push(trouble);
    else this.unnamed += 1;
  }

  result(): Listed {
    const { file, unnamed } = this;
    const rest: Trouble[] = unnamed === 0 ? [] : [{ file, what: `${unnamed} further members of this kind are not named`, read: 'partly' }];
    const leftOut = Object.fromEntries([...this.leftOut].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { members: this.members, troubles: [...this.troubles, ...rest], leftOut, renamed: this.renamed, inner: this.inner };
  }

  async take(member: Member): Promise<void> {
    const index = this.members;
    this.members += 1;
    const parts = member.name.parts.length === 0 && member.kind !== 'folder' ? ['(no name)'] : member.name.parts;
    if (parts.length === 0) return;
    if (parts.length > this.context.limits.folders) {
      this.say({ file: this.shown(parts.slice(-3)), what: `it lies in ${parts.length - 1} folders, one inside the other` });
      return;
    }
    this.nameOddities(member, parts);
    const folder = this.tree.folder(member.kind === 'folder' ? parts : parts.slice(0, -1));
    if (folder === undefined) this.count('in a folder that is not entered');
    else if (member.kind === 'file') await this.takeFile(member, index, folder, parts);
    else if (member.kind === 'hard link') this.takeHardLink(member, index, folder, parts);
    else if (member.kind !== 'folder') await this.takeOther(member, member.kind, folder, parts);
  }

  private count(reason: string): void {
    this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
  }

  private shown(parts: readonly string[], ordinal = 1): string {
    return this.tree.prefix + parts.map((part, i) => shownName(part, i === parts.length - 1 ? ordinal : 1)).join('/');
  }

  private nameOddities({ name }: Member, parts: readonly string[]): void {
    if (name.oddities.length === 0) return;
    const file = this.shown(parts);
    if (this.renamed.length < MOST_NAMED) this.renamed.push({ file, stored: name.stored, why: name.oddities.join(', ') });
    else this.count('name changed, not listed one by one');
    const bad = name.oddities.filter((oddity) => BAD.includes(oddity));
    if (bad.length > 0) this.say({ file, what: `stored as ${name.stored} (${bad.join(', ')}); taken under this name`, read: 'fully' });
  }

  private async takeFile(member: Member, index: number, folder: FolderNode, parts: readonly string[]): Promise<void> {
    const name = parts.at(-1) ?? '';
    const interest = interestIn(folder, name, member.size, this.context.places);
    if (interest === 'archive' && (await this.takeInner(member, parts))) return;
    const { size, mtime, doubts, fault } = member;
    const forgotten = interest === 'none' && this.forgets && isForgettable(folder, name, this.context.places);
    if (fault !== undefined) this.count(fault);
    else if (forgotten) this.count('of no interest by its name');
    if (forgotten) return;
    const node = this.tree.addFile(folder, parts, { index, size, mtime, doubts, fault });
    if (node.ordinal > 1)
      this.say({
        file: this.shown(parts, node.ordinal),
        what: `member number ${node.ordinal} of this name; each was taken`,
        read: 'fully',
      });
    if (fault === undefined && interest !== 'none' && interest !== 'archive') await this.look(node, member, interest);
  }

  private async look(node: FileNode, member: Member, interest: 'unpack' | 'settings' | 'sniff'): Promise<void> {
    const content = member.content();
    const head = new Head(content);
    try {
      if (interest === 'settings') node.head = Buffer.from(await head.upTo(SNIFFED));
      if (interest === 'sniff') node.store = await sniffHead(head, this.context.detectors);
      if (interest === 'unpack' || node.store !== undefined) await unpackInto(node, head, content, member, this.context.unpacker);
    } catch (error) {
      node.fault = error instanceof ArchiveFault ? error.message : faultText(error);
    } finally {
      await content.return(undefined);
    }
  }

  /** An archive in the archive. False for a member that is to be treated like any other. */
  private async takeInner(member: Member, parts: readonly string[]): Promise<boolean> {
    const file = this.shown(parts);
    const { limits, depth, unpacker } = this.context;
    if (depth >= limits.depth) {
      this.say({ file, what: `an archive in ${depth} others, one inside the other: it was not opened` });
      return true;
    }
    const fault = member.fault;
    const unpacked = fault === undefined ? await unpacker.unpack([], member.content(), member.size, member.doubts) : { fault };
    if ('fault' in unpacked) this.say({ file, what: unpacked.fault });
    else this.inner.push({ file, parts, path: unpacked.path });
    for (const what of member.doubts) this.say({ file, what, read: 'fully' });
    return true;
  }

  /** A second name of a file in the archive; a name for anything else is not followed. */
  private takeHardLink(member: Member, index: number, folder: FolderNode, parts: readonly string[]): void {
    const { parts: wanted } = cleanName(member.target ?? '');
    const found = this.tree.find(wanted);
    if (found === undefined) {
      this.say({
        file: this.shown(parts),
        what: `a hard link to ${excerpt(member.target ?? '')}, which is no file ahead of it in the archive: not followed`,
      });
      return;
    }
    const same = found.same ?? found;
    same.linked = true;
    this.tree.addFile(folder, parts, { index, size: same.size, mtime: same.mtime, doubts: [], same });
  }

  private async takeOther(
    member: Member,
    kind: 'link' | 'fifo' | 'device' | 'unknown',
    folder: FolderNode,
    parts: readonly string[],
  ): Promise<void> {
    const name = parts.at(-1) ?? '';
    this.tree.addOther(folder, name, kind, kind === 'link' ? await targetOf(member) : '');
    if (kind === 'unknown') this.say({ file: this.shown(parts), what: 'a member of a kind that is not read' });
  }
}

const LONGEST_TARGET = 4096;

/** A tar names the target of a link in its header, a ZIP in the content. */
async function targetOf(member: Member): Promise<string> {
  if (member.target !== undefined) return excerpt(member.target, LONGEST_TARGET);
  if (member.fault !== undefined) return '';
  const content = member.content();
  try {
    return excerpt((await new Head(content).upTo(LONGEST_TARGET)).toString('utf8'), LONGEST_TARGET);
  } catch {
    return '';
  } finally {
    await content.return(undefined);
  }
}

export async function unpackInto(
  node: FileNode,
  head: Head,
  content: AsyncIterator<Buffer>,
  member: Member,
  unpacker: Unpacker,
): Promise<void> {
  const unpacked = await unpacker.unpack(head.chunks, content, member.size, member.doubts);
  if ('fault' in unpacked) node.fault = unpacked.fault;
  else node.unpacked = unpacked;
}
