import type { Artifact } from '../../evidence/source.js';

const FOLDER = '.kontourai';

export interface FlowPlace {
  /** Project the records lie in, or empty. */
  readonly project: string;
  /** Name of the piece of work: the folder of its records. */
  readonly slug: string;
  readonly name: string;
}

/** What the path tells. The records themselves may lie elsewhere when they were copied. */
export function flowPlace(artifact: Artifact): FlowPlace {
  const parts = artifact.file.split('/');
  const at = parts.findIndex((part) => part.toLowerCase() === FOLDER);
  const below = at < 0 ? [] : parts.slice(at + 1);
  const slug = below[0] === 'flow-agents' && below.length > 2 && below[1] !== 'current' ? (below[1] ?? '') : '';
  return { project: artifact.inProject ? artifact.base : '', slug, name: parts.at(-1) ?? '' };
}
