/** Small labels. Their word says what their colour says. */
import type { ComponentChildren } from 'preact';
import { type Tone, toneOf } from '../data/kinds.js';
import type { Level } from '../data/tables.js';
import { plain } from '../text/pieces.js';
import type { Raw } from '../text/raw.js';

export type TagTone = Tone | 'denied' | 'muted' | 'injected';

export function Tag({ tone, children }: { readonly tone: TagTone; readonly children: ComponentChildren }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}

export function KindTag({ kind }: { readonly kind: Raw }) {
  return <Tag tone={toneOf(plain(kind))}>{plain(kind)}</Tag>;
}

export function LevelTag({ level }: { readonly level: Level }) {
  return <span class={`level ${level}`}>{level}</span>;
}

export const toneOfDecision = (decision: string): TagTone => {
  if (decision === 'approved' || decision === 'granted') return 'tool';
  return decision === 'denied' || decision === 'cancelled' || decision === 'abandoned' || decision === 'revoked' ? 'denied' : 'muted';
};

export const toneOfStatus = (status: string): TagTone =>
  status === 'failed' || status === 'canceled' || status === 'blocked' ? 'denied' : status === 'completed' ? 'tool' : 'muted';
