import type { MakeCheck } from './check.js';
import { claimTests, claimWrite } from './claims.js';
import { copiesDiffer } from './copies.js';
import { storeRebuilt } from './stores.js';
import { fileOlderThanContent, inTheFuture, timeBackwards } from './time.js';

export type { Check } from './check.js';

/** Analyses in code, by the name a rule gives. */
export const CHECKS = {
  'time-backwards': timeBackwards,
  'file-older-than-content': fileOlderThanContent,
  'in-the-future': inTheFuture,
  'copies-differ': copiesDiffer,
  'claim-tests': claimTests,
  'claim-write': claimWrite,
  'store-rebuilt': storeRebuilt,
} as const satisfies Record<string, MakeCheck>;
