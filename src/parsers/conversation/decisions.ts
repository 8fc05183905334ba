/**
 * Who stopped a call, as far as the stored message proves it.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/mod.rs (fixed texts, approval prompt, hooks,
 * validation), conversation.rs (repair of a history without results). An approval leaves nothing in the history; it is
 * read from the transcript (transcript-rows.ts).
 */
import type { Row } from '../../rows/row.js';

const DENY_N = 'I deny this tool request. Ask a follow up question clarifying the expected action';
const DENY_RULE = /^Tool use with (.{1,200}) was rejected because the arguments supplied were forbidden$/s;
const INTERRUPT_USER = 'The user interrupted the tool execution.';
const HOOK_BLOCK = 'PreToolHook blocked the tool execution: ';
const VALIDATION = ['Failed to validate tool parameters: ', 'Tool validation failed: '];

export interface Decision {
  readonly decision: Row['decision'];
  readonly by: string;
  /** Text behind `permission decision: `. */
  readonly text: string;
  /** Did the call run? */
  readonly execution: 'no' | 'unknown';
  /** The prompt is a fixed text of the program; otherwise it is text of its own and gets a row. */
  readonly fixed: boolean;
  /** For a deny rule: the tool it named. */
  readonly tool: string;
}

/**
 * Classifies the text of a `CancelledToolUses` message. `hasTime`: the message carries a timestamp; `timesKept`: other
 * messages of the conversation do (1.13.3 and later). A missing time among dated messages is the mark of the automatic repair.
 */
export function classifyCancel(prompt: string | null, hasTime: boolean, timesKept: boolean): Decision {
  const made = (
    decision: Row['decision'],
    by: string,
    text: string,
    execution: Decision['execution'],
    fixed: boolean,
    tool = '',
  ): Decision => ({
    decision,
    by,
    text,
    execution,
    fixed,
    tool,
  });
  if (prompt === null) return made('cancelled', 'unknown', 'cancelled', 'unknown', true);
  // Before 1.13.0 the typed letter itself was stored.
  if (prompt === DENY_N || prompt === 'n' || prompt === 'N') return made('denied', 'n', 'denied by=n', 'no', true);
  const tool = DENY_RULE.exec(prompt)?.[1];
  if (tool !== undefined) return made('denied', 'deny-rule', `denied by=deny-rule tool=${tool}`, 'no', true, tool);
  if (prompt === INTERRUPT_USER) return made('cancelled', 'interrupt', 'cancelled by=interrupt', 'unknown', true);
  if (!timesKept) return made('abandoned', 'user-text-or-repair', 'abandoned by=user-text-or-repair execution=unknown', 'unknown', false);
  if (!hasTime) return made('cancelled', 'auto-repair', 'cancelled by=auto-repair execution=unknown', 'unknown', false);
  return made('abandoned', 'user-text', 'abandoned by=user-text', 'no', false);
}

/** A result that says the call was never run: blocked by a hook, or refused because its arguments did not validate. */
export function classifyRefusal(text: string): { readonly by: 'hook' | 'validation'; readonly text: string } | undefined {
  if (text.startsWith(HOOK_BLOCK)) return { by: 'hook', text: 'blocked by=hook' };
  if (VALIDATION.some((prefix) => text.startsWith(prefix))) return { by: 'validation', text: 'rejected by=validation' };
  return undefined;
}

/** The deny-rule text met as an ordinary prompt. */
export function deniedTool(prompt: string): string | undefined {
  return DENY_RULE.exec(prompt)?.[1];
}

/** True for the text stored when a bare `n` was typed. */
export function isDenialByN(prompt: string): boolean {
  return prompt === DENY_N || prompt === 'n' || prompt === 'N';
}
