import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { has, type TarMember, tar, type ZipMember, zip } from '../support/archives.js';
import { damaging, type Edit, edited, structured } from './edits.js';

// A home with a few files, as a folder or packed; files changed, taken away and exchanged, then the archive itself.

export interface HomeFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const FORMS = ['folder', 'zip', 'tar', 'tar.gz', ...(has('zstd') ? (['tar.zst'] as const) : [])] as const;

/** Numbers are taken modulo what there is. */
export interface EvidencePlan {
  readonly form: (typeof FORMS)[number];
  readonly files: readonly { readonly at: number; readonly other: number; readonly edits: readonly Edit[] }[];
  readonly removed: readonly number[];
  readonly exchanged: readonly (readonly [number, number])[];
  /** One field of one member, or of the archive. */
  readonly fields: readonly { readonly at: number; readonly field: number; readonly value: number }[];
  /** Bytes of the archive as a whole. */
  readonly packed: readonly Edit[];
}

const place = fc.noBias(fc.nat({ max: 0x7fffffff }));
const some = <T>(one: fc.Arbitrary<T>, maxLength: number) => fc.oneof(fc.constant([]), fc.array(one, { minLength: 1, maxLength }));

export const planOf = (forms: readonly EvidencePlan['form'][]): fc.Arbitrary<EvidencePlan> =>
  fc.record({
    form: fc.constantFrom(...forms),
    files: some(fc.record({ at: place, other: place, edits: fc.oneof(structured, damaging) }), 3),
    removed: some(place, 4),
    exchanged: some(fc.tuple(place, place), 2),
    fields: some(fc.record({ at: place, field: place, value: fc.oneof(fc.constantFrom(...NUMBERS), place) }), 2),
    packed: fc.oneof(fc.constant([]), damaging),
  });

export const ARCHIVES = FORMS.filter((form) => form !== 'folder');
export const ALL_FORMS = FORMS;

const NUMBERS = [0, 1, 7, 0xff, 0xffff, 0x10000, 0x7fffffff, 0xffffffff];
const NAMES = [
  '',
  '.',
  '..',
  '/',
  '../../up',
  '/abs/x',
  'a//b',
  'C:\\x',
  'a\u0000b',
  'NUL',
  'x'.repeat(300),
  'home/mira/.aws',
  '\ud83d\ude00',
];

/** The changed files of a home. */
function changed(home: readonly HomeFile[], plan: EvidencePlan): HomeFile[] {
  const files = [...home];
  for (const { at, other, edits } of plan.files) {
    const [i, from] = [at % files.length, files[other % files.length]];
    const file = files[i];
    if (file !== undefined && from !== undefined) files[i] = { ...file, bytes: edited(file.bytes, edits, from.bytes) };
  }
  for (const [a, b] of plan.exchanged) {
    const [i, j] = [a % files.length, b % files.length];
    const [one, two] = [files[i], files[j]];
    if (one === undefined || two === undefined) continue;
    files[i] = { ...one, bytes: two.bytes };
    files[j] = { ...two, bytes: one.bytes };
  }
  for (const at of plan.removed) if (files.length > 0) files.splice(at % files.length, 1);
  return files;
}

/** Lays the evidence down; gives the path to name. */
export function layDown(home: readonly HomeFile[], plan: EvidencePlan, folder: string): string {
  const files = changed(home, plan);
  if (plan.form === 'folder') {
    mkdirSync(folder, { recursive: true });
    for (const { name, bytes } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    return folder;
  }
  const whole = plan.form === 'zip' ? zipOf(files, plan) : compressed(tarOf(files, plan), plan.form);
  const path = join(folder, `evidence.${plan.form}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, edited(whole, plan.packed, whole));
  return path;
}

function compressed(bytes: Buffer, form: EvidencePlan['form']): Buffer {
  if (form === 'tar.gz') return gzipSync(bytes);
  if (form === 'tar.zst') return spawnSync('zstd', ['-q', '-c', '--check'], { input: bytes, maxBuffer: 1 << 28 }).stdout;
  return bytes;
}

const ZIP_FIELDS: readonly ((value: number) => Partial<ZipMember>)[] = [
  (crc) => ({ crc }),
  (size) => ({ size }),
  (compressed) => ({ compressed }),
  (offset) => ({ offset }),
  (method) => ({ method: method & 0xffff }),
  (flags) => ({ flags: flags & 0xffff }),
  (value) => ({ name: NAMES[value % NAMES.length] ?? '' }),
  (value) => ({ localName: NAMES[value % NAMES.length] ?? '' }),
  (value) => ({ mode: value & 0xffff }),
  (value) => ({ extra: Buffer.alloc(value % 70, value & 0xff) }),
  () => ({ descriptor: true }),
  () => ({ listed: false }),
];

function zipOf(files: readonly HomeFile[], { fields }: EvidencePlan): Buffer {
  const members: ZipMember[] = files.map(({ name, bytes }) => ({ name, data: bytes }));
  let options = {};
  for (const { at, field, value } of fields) {
    const i = at % (members.length + 1);
    const member = members[i];
    if (member !== undefined) members[i] = { ...member, ...ZIP_FIELDS[field % ZIP_FIELDS.length]?.(value) };
    else
      options = [{ count: value & 0xffff }, { end: false }, { wide: true }, { before: Buffer.alloc(value % 5000, 0x50) }][field % 4] ?? {};
  }
  return zip(members, options);
}

const TAR_FIELDS: readonly ((value: number) => Partial<TarMember>)[] = [
  (value) => ({ name: NAMES[value % NAMES.length] ?? '' }),
  (size) => ({ size }),
  (value) => ({ type: 'LKgxSV0123456\u0000'[value % 14] ?? '0' }),
  (value) => ({ type: '2', target: NAMES[value % NAMES.length] ?? '' }),
  (time) => ({ time }),
];

function tarOf(files: readonly HomeFile[], { fields }: EvidencePlan): Buffer {
  const members: TarMember[] = files.map(({ name, bytes }) => ({ name, data: bytes }));
  let end = true;
  for (const { at, field, value } of fields) {
    const i = at % (members.length + 1);
    const member = members[i];
    if (member !== undefined) members[i] = { ...member, ...TAR_FIELDS[field % TAR_FIELDS.length]?.(value) };
    else end = false;
  }
  return tar(members, { end });
}
