import type { Fingerprinter } from './fingerprint.js';
import { atLeast, type Finding, type Hit } from './types.js';

/**
 * `redact` hides what lets its reader in, and key ids that stand in full (their account stays readable in the finding);
 * `redact-all` whatever was found, and the other values of maps that hold credentials.
 */
export type MaskPolicy = 'redact' | 'redact-all';

export interface Masked {
  readonly text: string;
  /** How many ranges were replaced. */
  readonly spans: number;
}

export function masks(finding: Finding, policy: MaskPolicy): boolean {
  if (finding.confidence === 'none') return false;
  if (policy === 'redact-all') return true;
  const hidden = finding.class === 'secret' || (finding.class === 'identifier' && finding.source === 'format');
  return hidden && atLeast(finding.confidence, 'medium') && !finding.mixed;
}

const MARK = 8;

/** The text that stands for a secret. It holds no quote and no backslash, so that JSON around it stays JSON. */
export function maskOf(rule: string, value: string, mark: Fingerprinter): string {
  return `[REDACTED:${rule}:${mark(value).slice(3, 3 + MARK)}]`;
}

/** Replaces the ranges of the hits of this one string; ranges that touch or overlap become one, named after the first. */
export function maskText(text: string, hits: readonly Hit[], policy: MaskPolicy, mark: Fingerprinter): Masked {
  const chosen = hits.filter((hit) => masks(hit.finding, policy)).sort((a, b) => a.finding.start - b.finding.start);
  const parts: string[] = [];
  let at = 0;
  let spans = 0;
  for (const { finding, value } of chosen) {
    if (finding.start >= at) {
      parts.push(text.slice(at, finding.start), maskOf(finding.rule, value, mark));
      spans += 1;
    }
    at = Math.max(at, finding.end);
  }
  return spans === 0 ? { text, spans } : { text: parts.join('') + text.slice(at), spans };
}
