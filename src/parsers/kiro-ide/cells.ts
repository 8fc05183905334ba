/** A stored value as JSON can hold it: bytes as text (or their number, where they are none), large integers as text. */
export function cell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return cellText(value);
}

export function cellText(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString('utf8');
  return value === null || value === undefined ? '' : String(value);
}
