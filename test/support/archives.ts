import { spawnSync } from 'node:child_process';
import { crc32, deflateRawSync } from 'node:zlib';

// Archives byte by byte: what no well-behaved program would write can be written here.

export interface ZipMember {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** 0 stored, 8 deflated, anything else: the bytes as they are. */
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly compressed?: number;
  /** Packed bytes, as they are. */
  readonly packed?: Buffer;
  /** In the member's own header, where it differs. */
  readonly localName?: string;
  /** Modification time in seconds, written as archives of Unix do. */
  readonly time?: number;
  readonly extra?: Buffer;
  /** Mode of Unix. */
  readonly mode?: number;
  /** Sizes and checksum stand behind the content. */
  readonly descriptor?: boolean;
  /** Where the list says that it lies. */
  readonly offset?: number;
  /** Named in the list of members; default: yes. */
  readonly listed?: boolean;
}

export interface ZipOptions {
  readonly before?: Buffer;
  readonly after?: Buffer;
  /** Number of members that the end record states. */
  readonly count?: number;
  readonly end?: boolean;
  /** With the end record for large archives. */
  readonly wide?: boolean;
}

const u16 = (value: number) => Buffer.from([value & 255, (value >> 8) & 255]);
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

const UNIX = 0x0314;

export function zip(
  members: readonly ZipMember[],
  { before = Buffer.alloc(0), after = Buffer.alloc(0), count, end = true, wide = false }: ZipOptions = {},
) {
  const locals: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const { data = '', method = 8, descriptor = false } = member;
    const name = Buffer.from(member.name);
    const own = Buffer.from(member.localName ?? name);
    const plain = Buffer.from(data);
    const packed = member.packed ?? (method === 8 ? deflateRawSync(plain) : plain);
    const flags = (member.flags ?? 0x800) | (descriptor ? 8 : 0);
    const time = member.time === undefined ? Buffer.alloc(0) : Buffer.concat([u16(0x5455), u16(5), Buffer.from([1]), u32(member.time)]);
    const extra = Buffer.concat([time, member.extra ?? Buffer.alloc(0)]);
    const sums = [u32(member.crc ?? crc32(plain)), u32(member.compressed ?? packed.length), u32(member.size ?? plain.length)];
    const head = (own: readonly Buffer[]) => [u16(20), u16(flags), u16(method), u32(0x5c6a_6000), ...own];
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      ...head(descriptor ? [u32(0), u32(0), u32(0)] : sums),
      u16(own.length),
      u16(extra.length),
      own,
      extra,
      packed,
      ...(descriptor ? [Buffer.from('PK\x07\x08', 'latin1'), ...sums] : []),
    ]);
    if (member.listed !== false) {
      const mode = member.mode === undefined ? 0 : member.mode * 0x10000;
      const lengths = [u16(name.length), u16(extra.length), u16(0), u16(0), u16(0), u32(mode), u32(member.offset ?? offset)];
      list.push(
        Buffer.concat([
          Buffer.from('PK\x01\x02', 'latin1'),
          u16(member.mode === undefined ? 20 : UNIX),
          ...head(sums),
          ...lengths,
          name,
          extra,
        ]),
      );
    }
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const total = wide ? 0xffff : (count ?? list.length);
  const large = wide ? wideEnd(list.length, directory.length, offset) : Buffer.alloc(0);
  const tail = Buffer.concat([
    Buffer.from('PK\x05\x06', 'latin1'),
    u32(0),
    u16(total),
    u16(total),
    u32(directory.length),
    u32(offset),
    u16(0),
  ]);
  return Buffer.concat([before, ...locals, ...(end ? [directory, large, tail] : []), after]);
}

function wideEnd(members: number, size: number, offset: number): Buffer {
  const u64 = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  const record = [
    Buffer.from('PK\x06\x06', 'latin1'),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    u64(members),
    u64(members),
    u64(size),
    u64(offset),
  ];
  return Buffer.concat([...record, Buffer.from('PK\x06\x07', 'latin1'), u32(0), u64(offset + size), u32(1)]);
}

export interface TarMember {
  readonly name: string | Buffer;
  readonly data?: string | Buffer;
  /** `0` file, `1` hard link, `2` link, `3` and `4` devices, `5` folder, `6` FIFO. */
  readonly type?: string;
  readonly target?: string;
  readonly time?: number;
  readonly size?: number;
}

export function tar(members: readonly TarMember[], { end = true } = {}): Buffer {
  // A long name stands in a member of its own, as GNU tar writes it.
  const all = members.flatMap((member) => {
    const name = Buffer.from(member.name);
    return name.length <= 100 ? [member] : [{ name: '././@LongLink', data: Buffer.concat([name, Buffer.alloc(1)]), type: 'L' }, member];
  });
  const parts = all.flatMap(({ name, data = '', type = '0', target = '', time = 0, size }) => {
    const content = Buffer.from(data);
    const header = Buffer.alloc(512);
    Buffer.from(name).copy(header, 0, 0, 100);
    const octal = (value: number, at: number, length: number) =>
      header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
    octal(0o644, 100, 8);
    octal(0, 108, 8);
    octal(0, 116, 8);
    octal(size ?? content.length, 124, 12);
    octal(time, 136, 12);
    header.write(type, 156, 'latin1');
    header.write(target, 157, 100, 'utf8');
    header.write('ustar\u000000', 257, 'latin1');
    header.fill(0x20, 148, 156);
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      148,
      7,
    );
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, ...(end ? [Buffer.alloc(1024)] : [])]);
}

/** True where a program of Debian is there; tests that need it are skipped plainly where it is not. */
export const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Runs a line of `sh` in a folder. */
export function sh(line: string, cwd: string): void {
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${line}: ${stderr}`);
}
