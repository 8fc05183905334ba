import type { Rule } from './schema.js';
import type { FindingSource, JwtClaims, SecretConfidence } from './types.js';

/** What a matcher found, in offsets of the text it was given. */
export interface RawHit {
  readonly rule: Rule;
  readonly source: FindingSource;
  readonly confidence: SecretConfidence;
  readonly start: number;
  readonly end: number;
  /** Normalised: unescaped and decoded, so that one secret has one value in every store. */
  readonly value: string;
  readonly key?: string | undefined;
  readonly pointer?: string;
  readonly checksum?: 'valid' | 'invalid' | undefined;
  readonly decoded?: 'base64' | 'percent' | undefined;
  readonly truncated?: boolean | undefined;
  readonly mixed?: true;
  readonly jwt?: JwtClaims;
}

export type Report = (hit: RawHit) => void;
