import type { Store } from '../catalog/schema.js';
import { stdinArtifact } from '../collect/artifact.js';
import type { Collection } from '../collect/collection.js';
import type { Detector } from '../collect/sniff.js';

const HEAD = 64 * 1024;

/** Path of the artifact that was handed over on standard input. */
export const STDIN = '-';

/** What standard input is, by its content: one file of a known store, or nothing that is recognised. */
export function stdinCollection(bytes: Buffer, stores: readonly Store[], detectors: readonly Detector[]): Collection {
  const id = detectors.find(({ detect }) => detect(bytes.subarray(0, HEAD)))?.store;
  const store = stores.find((candidate) => candidate.id === id);
  return {
    artifacts:
      store === undefined ? [] : [{ artifact: stdinArtifact(store, bytes.length), path: STDIN, store, sidecars: [], foundBy: 'content' }],
    links: [],
    special: [],
    errors: [],
    excluded: [],
    unclaimed: [],
    unrecognised: store === undefined ? ['(stdin)'] : [],
    orphans: [],
    unopened: [],
    hardLinks: [],
    archives: [],
    walked: { files: 1, folders: 0 },
  };
}
