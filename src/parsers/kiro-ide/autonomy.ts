import { compact } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';

/** In the mode without supervision calls run, and edits are kept, without a question: a standing grant. */
export function isAutopilot(mode: unknown): boolean {
  return typeof mode === 'string' && /^(?:autopilot|full)$/i.test(mode);
}

export function autonomyRow(mode: unknown, from: string): Draft {
  const granted = isAutopilot(mode);
  return {
    row_type: 'permission',
    text: `permission setting: autonomyMode=${compact(mode)} (from ${from})`,
    decision: granted ? 'granted' : 'unknown',
    decided_by: 'config',
    source_pointer: '/autonomyMode',
    problem: granted ? '' : 'nothing is known to be granted by it',
    details: { key: 'autonomyMode', value: mode },
  };
}
