import type { Artifact } from '../evidence/source.js';

/**
 * Tells the home a file lies in, by the name of its root and the path below it. Rows that tell of the same thing without an id are
 * brought together within a home only: the same words on two machines are two events, also of users of one name. A file whose place
 * tells no home belongs to the nearest folder around it that is one, as its other files show; else to its root.
 */
export function homesOf(artifacts: Iterable<Artifact>): (artifact: Artifact) => string {
  const known = new Set<string>();
  for (const { root, home } of artifacts) if (home !== undefined) known.add(root + home);
  return ({ root, home, base }) => {
    if (home !== undefined) return root + home;
    for (let at = base; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) if (known.has(root + at)) return root + at;
    return root;
  };
}
