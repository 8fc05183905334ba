/** One more step of an RFC 6901 pointer. */
export function step(pointer: string, key: string | number): string {
  return typeof key === 'number' ? `${pointer}/${key}` : `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
