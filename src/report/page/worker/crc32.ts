/** CRC-32 of a block, four bytes a step: it is taken over every byte of the page's data. */
const TABLES = makeTables();

function makeTables(): Int32Array[] {
  const tables = Array.from({ length: 4 }, () => new Int32Array(256));
  const [base = new Int32Array(256)] = tables;
  for (let n = 0; n < 256; n++) {
    let value = n;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    base[n] = value;
  }
  for (let step = 1; step < 4; step++) {
    const before = tables[step - 1] ?? base;
    const table = tables[step] ?? base;
    for (let n = 0; n < 256; n++) {
      const value = before[n] ?? 0;
      table[n] = (value >>> 8) ^ (base[value & 255] ?? 0);
    }
  }
  return tables;
}

export function crc32(bytes: Uint8Array): string {
  const [t0, t1, t2, t3] = TABLES;
  if (t0 === undefined || t1 === undefined || t2 === undefined || t3 === undefined) return '';
  let crc = -1;
  let at = 0;
  const whole = bytes.length & ~3;
  for (; at < whole; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    crc = (t3[crc & 255] ?? 0) ^ (t2[(crc >>> 8) & 255] ?? 0) ^ (t1[(crc >>> 16) & 255] ?? 0) ^ (t0[crc >>> 24] ?? 0);
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ (t0[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0);
  return ((crc ^ -1) >>> 0).toString(16).padStart(8, '0');
}
