/** What a finding lets its reader do: get in (`secret`), name a credential (`identifier`), or learn something private (`sensitive`). */
export type SecretClass = 'secret' | 'identifier' | 'sensitive';

/** Why it was found: the field is a credential by schema, the token proves itself, or a telling name stands beside a strong value. */
export type FindingSource = 'location' | 'format' | 'keyed';

/** In rising order. `none`: a format that fits but is a documented example or placeholder; kept so that it can be asked for. */
export const CONFIDENCES = ['none', 'low', 'medium', 'high', 'certain'] as const;
export type SecretConfidence = (typeof CONFIDENCES)[number];

export function atLeast(confidence: SecretConfidence, least: SecretConfidence): boolean {
  return CONFIDENCES.indexOf(confidence) >= CONFIDENCES.indexOf(least);
}

/** Claims of a token, decoded locally and never verified. */
export interface JwtClaims {
  readonly iss?: string;
  readonly aud?: string;
  readonly sub?: string;
  readonly exp?: number;
}

/** One found secret, without its value. `start` and `end` are UTF-16 offsets in exactly the string of `column` (and `pointer`). */
export interface Finding {
  readonly rule: string;
  readonly class: SecretClass;
  readonly source: FindingSource;
  readonly confidence: SecretConfidence;
  readonly column: string;
  readonly start: number;
  readonly end: number;
  /** RFC 6901, inside the column when that is structured, or inside JSON that the text holds. */
  readonly pointer?: string;
  /** The name that the value stood beside. */
  readonly key?: string;
  readonly preview: string;
  readonly checksum: 'valid' | 'invalid' | 'none';
  readonly decoded: 'base64' | 'percent' | null;
  /** The text ends inside the secret. */
  readonly truncated: boolean;
  /** A value of a map of credentials and other things (env, headers), whose name does not look like one: only `redact-all` masks it. */
  readonly mixed?: true;
  readonly aws_account?: string;
  readonly jwt?: JwtClaims;
}

/**
 * A finding and the value it stands for, normalised. Never serialise a hit: put `finding` into rows, and `value` only into
 * hashes and masks.
 */
export interface Hit {
  readonly finding: Finding;
  readonly value: string;
}

/**
 * A place that a parser knows to hold a credential. `rule` is the id of a location rule of the catalog.
 * Without `start` and `end` the whole string is meant; `pointer` must equal that of the string, if it has one.
 */
export interface LocationHint {
  readonly column: string;
  readonly pointer?: string;
  readonly start?: number;
  readonly end?: number;
  readonly rule: string;
  /** Name of the variable or header, for rules over maps that mix credentials with other values. */
  readonly key?: string;
}

/** One string of a row. `key` is the name of the member it is the value of, if any. */
export interface RowString {
  readonly column: string;
  readonly text: string;
  readonly pointer?: string;
  readonly key?: string;
}
