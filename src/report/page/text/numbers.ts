/** Numbers and times as the page writes them: always UTC, always the same, whatever the reader's locale. */
const NUMBER = new Intl.NumberFormat('en-US');

export const count = (n: number): string => NUMBER.format(n);

export const plural = (n: number, noun: string, many = `${noun}s`): string => `${count(n)} ${n === 1 ? noun : many}`;

/** `2025-03-06 06:49:03.340`; '' without a time. */
export function utc(ms: number): string {
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? '' : new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
}

export const utcMinutes = (ms: number): string => utc(ms).slice(0, 16);
export const clock = (ms: number): string => utc(ms).slice(11, 19);
export const day = (ms: number): string => utc(ms).slice(0, 10);

const STEPS: readonly (readonly [ms: number, noun: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
];

/** `27.1 hours` */
export function duration(ms: number): string {
  const [unit, noun] = STEPS.find(([step]) => ms >= step * 2) ?? [1, 'millisecond'];
  const amount = ms / unit;
  const text = amount >= 10 || Number.isInteger(amount) ? String(Math.round(amount * 10) / 10) : amount.toFixed(1);
  return `${text} ${noun}${text === '1' ? '' : 's'}`;
}
