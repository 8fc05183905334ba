import type { Artifact } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';

// The folder `.kiro` of a home and that of a project hold files of the same names and meaning other things: which of them
// counts, and whether it is read at all. Only the path tells.

export type Scope = 'user' | 'project' | 'unknown';

export interface ConfigPlace {
  readonly scope: Scope;
  readonly columns: Pick<Draft, 'time' | 'project_path'>;
}

/** A folder that was itself given to the program can be a home or a project: its name is not in the path. */
export function configPlace({ base, mtime, kiroHome }: Artifact): ConfigPlace {
  if (kiroHome === true) return { scope: 'user', columns: { time: mtime, project_path: '' } };
  const scope = base === '' ? 'unknown' : /(?:^|\/)(?:home|users)\/[^/]+$|^root$/i.test(base) ? 'user' : 'project';
  return { scope, columns: { time: mtime, project_path: scope === 'project' ? base : '' } };
}
