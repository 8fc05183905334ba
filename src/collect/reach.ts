import { hasBinaryEnding, isExcludedName } from './exclude.js';
import type { Folder } from './folder.js';
import type { PlaceIndex } from './place.js';

/** True for a folder that is not entered. `name` is that of `next`, which lies in `folder`. */
export function isPassedOver(folder: Folder, next: Folder, name: string, places: PlaceIndex): boolean {
  return folder.shut || (isExcludedName(name, folder.parts.length === 0) && !places.leadsThrough(next.lower));
}

/** True for a file that is told by its content, if by anything. */
export function mayHoldExport(folder: Folder, name: string): boolean {
  return !folder.inBuild && !folder.shut && !hasBinaryEnding(name);
}
