import { type Entry, fromRandomAccessReaderPromise } from 'yauzl';
import { messageOf } from '../../rows/problem.js';
import type { OpenFile } from '../open.js';
import { fileOf } from './archive-file.js';
import { BlockReader } from './block-reader.js';
import { type Archive, ArchiveFault, type ArchiveLimits, type Member } from './member.js';
import { zipName } from './name.js';
import { type ZipBytes, zipContent } from './zip-content.js';
import { faultOf, kindOf, mtimeOf, usesBackslashes, type ZipEntry } from './zip-entry.js';
import { findFrame, type ZipFrame } from './zip-frame.js';
import { scanEntries } from './zip-scan.js';

const ENTRY_SIZE = 46;
const NO_LIST = 'not listed by the archive, found by its own header';

/** A ZIP. Where its list of members (the central directory) is damaged or missing, members are found by their own headers. */
export function openZip(file: OpenFile, limits: ArchiveLimits): Archive {
  const problems: string[] = [];
  const frame = findFrame(new BlockReader(file, 0, file.size));
  const say = (what: string) => {
    if (!problems.includes(what)) problems.push(what);
  };
  return {
    format: 'zip',
    problems,
    ...fileOf(file),
    async *members() {
      const listed = new Set<number>();
      const used = { bytes: 0 };
      try {
        if (frame === undefined) throw new ArchiveFault('there is none');
        if (frame.start > 0) say(`${frame.start} bytes stand ahead of the archive`);
        if (frame.end < file.size) say(`${file.size - frame.end} bytes stand behind the archive`);
        for await (const entry of listedEntries(file, frame)) {
          listed.add(entry.offset);
          yield memberOf({ file, start: frame.start, end: frame.end, used }, entry, [], limits);
        }
      } catch (error) {
        say(
          `the list of members (central directory) could not be read to its end: ${messageOf(error)}; members were also looked for by their own headers`,
        );
        const start = frame?.start ?? 0;
        for (const entry of scanEntries(new BlockReader(file, start, file.size - start)))
          if (!listed.has(entry.offset)) yield memberOf({ file, start, end: file.size, used }, entry, [NO_LIST], limits);
      }
    },
  };
}

async function* listedEntries(file: OpenFile, frame: ZipFrame): AsyncGenerator<ZipEntry> {
  const reader = new BlockReader(file, frame.start, frame.end - frame.start);
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false } as const;
  const zip = await fromRandomAccessReaderPromise(reader, reader.size, options);
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    size += ENTRY_SIZE + entry.fileNameRaw.length + entry.extraFieldLength + entry.fileCommentLength;
    yield entryOf(entry);
  }
  // A count that has wrapped around, or was made smaller, hides members.
  if (size !== frame.listSize) throw new ArchiveFault(`it has ${frame.listSize} bytes, its ${frame.stated} entries ${size}`);
}

function entryOf(entry: Entry): ZipEntry {
  return {
    rawName: Buffer.from(entry.fileNameRaw),
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    crc: entry.crc32,
    compressed: entry.compressedSize,
    size: entry.uncompressedSize,
    extra: entry.extraFields,
    offset: entry.relativeOffsetOfLocalHeader,
    attributes: entry.externalFileAttributes,
    madeBy: entry.versionMadeBy,
  };
}

function memberOf(zip: ZipBytes, entry: ZipEntry, doubts: string[], limits: ArchiveLimits): Member {
  const name = zipName(entry.rawName, (entry.flags & 0x800) !== 0, entry.extra, usesBackslashes(entry));
  const fault = faultOf(entry);
  return {
    name,
    kind: name.folder ? 'folder' : kindOf(entry),
    size: entry.size ?? 0,
    mtime: mtimeOf(entry),
    doubts,
    ...(fault === undefined ? {} : { fault }),
    content: () => zipContent(zip, entry, doubts, limits),
  };
}
