const ENDING = /\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i;

/** Told by the name alone, as archives among other files are. */
export function hasArchiveEnding(name: string): boolean {
  return ENDING.test(name);
}

export function withoutArchiveEnding(name: string): string {
  return name.replace(ENDING, '');
}
