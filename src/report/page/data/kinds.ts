/** How row types are grouped for plots and coloured: the same five groups as in the summary of the page. */
import { BIN_GROUP_OF, BIN_GROUPS } from '../../format.js';
import { originalOf } from '../text/raw.js';
import type { Timeline } from './timeline.js';

export type Tone = 'prompt' | 'answer' | 'tool' | 'decision' | 'other' | 'recovered' | 'gap' | 'error';

export const GROUP_TONES: readonly Tone[] = ['prompt', 'answer', 'tool', 'decision', 'other'];

const TONES = new Map<string, Tone>([
  ['prompt', 'prompt'],
  ['assistant', 'answer'],
  ['thinking', 'answer'],
  ['tool_use', 'tool'],
  ['tool_result', 'tool'],
  ['permission', 'decision'],
  ['recovered', 'recovered'],
  ['gap', 'gap'],
  ['error', 'error'],
]);

export const toneOf = (rowType: string): Tone => TONES.get(rowType) ?? 'other';

/** The group of BIN_GROUPS of each row. */
export function groupsOf(timeline: Timeline): Uint8Array {
  const { of, values } = timeline.words('row_type');
  const groups = Uint8Array.from(values, (value) => BIN_GROUP_OF.get(originalOf(value)) ?? BIN_GROUPS.length - 1);
  return Uint8Array.from(of, (value) => groups[value] ?? 0);
}
