/** One more step of an RFC 6901 pointer. */
export function step(pointer: string, key: string | number): string {
  // most keys have nothing to escape, and this is done for every string of a row
  if (typeof key === 'number' || !/[~/]/.test(key)) return `${pointer}/${key}`;
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
