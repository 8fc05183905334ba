import type { FileSource } from '../evidence/source.js';

// Lists of sessions and executions, set against what lies in the folders beside them.

/** Why something a list names may not be there. */
export const WHY_MISSING = 'deleted, moved, or left out of a partial copy: which is not recorded';
/** Why something may be there that a list does not name. */
export const WHY_UNLISTED =
  'the list was cut or written anew, the file was put back or copied here, or the program never listed it: which is not recorded';
export const CUT_LIST = 'the list could not be read in full';
export const NOT_COLLECTED = 'the folder is not among the evidence: nothing is known of what lies in it';

/** Tells which names lie in a folder beside a file; undefined where that folder is not among the evidence. */
export function namesBeside(source: FileSource, folder: string): ReadonlySet<string> | undefined {
  const names = source.artifact.listing?.get(folder);
  return names && new Set(names.map((name) => name.toLowerCase()));
}
