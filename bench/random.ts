/** Seeded random numbers: the same seed and stream give the same sequence on every machine and Node version. */
export interface Random {
  /** A float in [0, 1). */
  float(): number;
  /** An integer in [min, max], both included. */
  int(min: number, max: number): number;
  /** An integer whose logarithm is uniform: many small values, few large ones. */
  logInt(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
  /** A version 4 UUID. */
  uuid(): string;
}

/** sfc32. `stream` separates independent sequences under one seed, for example one per conversation. */
export function createRandom(seed: number, stream = 0): Random {
  let a = seed | 0;
  let b = stream | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i += 1) next();

  const float = (): number => next() / 0x1_0000_0000;
  const int = (min: number, max: number): number => min + Math.floor(float() * (max - min + 1));
  const hex = (length: number): string => {
    let digits = '';
    while (digits.length < length) digits += next().toString(16).padStart(8, '0');
    return digits.slice(0, length);
  };
  return {
    float,
    int,
    logInt: (min, max) => Math.floor(min * ((max + 1) / min) ** float()),
    chance: (probability) => float() < probability,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new RangeError('pick from an empty list');
      return items[int(0, items.length - 1)] as T;
    },
    hex,
    uuid: () => {
      const digits = hex(32);
      const variant = '89ab'[int(0, 3)];
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
  };
}
