import type { Row } from '../../rows/row.js';
import { problems } from '../json-store.js';

// `status` says how the call ended, `outcome` what is proved of its success: the words and the order of precedence are those of
// Flow Agents (kontourai/flow-agents: docs/spec/runtime-hook-surface.md, 1 and 2.5), from which our columns come. A cancel or a
// denial comes first; a pass needs an exit code 0, a flag of the host, or the host's own sentence for success; nothing is read
// from the output of a command.

export interface Signals {
  readonly success: boolean | undefined;
  /** What says that the call failed, or empty. */
  readonly failure: string;
  readonly canceled: boolean;
  readonly blocked: boolean;
}

export interface Verdict {
  readonly status: Row['status'];
  readonly outcome: Row['outcome'];
  readonly source: string;
  readonly problem: string;
}

export function verdictOf(signals: Signals, exitCode: number | null, prose: 'success' | 'failure' | 'unknown', command: string): Verdict {
  const { success, canceled, blocked } = signals;
  if (canceled || blocked) {
    return { status: canceled ? 'canceled' : 'blocked', outcome: 'ambiguous', source: 'flag of the host', problem: '' };
  }
  // An explicit flag beats the wording, either way.
  const flagged = success !== undefined || signals.failure !== '';
  const failed = signals.failure !== '' || success === false || (!flagged && prose === 'failure');
  const done = success === true || exitCode !== null || prose === 'success';
  const status = failed ? 'failed' : done ? 'completed' : 'unknown';
  if (exitCode !== null) {
    const judged = byCode(exitCode, failed, command);
    // Without a word of the host on the call, a command that failed is a call that failed.
    return { ...judged, status: !flagged && judged.outcome === 'fail' ? 'failed' : status, source: 'exit code' };
  }
  if (failed) return { status, outcome: 'fail', source: flagged ? 'flag of the host' : 'result text', problem: '' };
  if (success === true) return { status, outcome: 'pass', source: 'flag of the host', problem: '' };
  if (prose === 'success') return { status, outcome: 'pass', source: 'result text', problem: '' };
  return { status, outcome: 'ambiguous', source: 'none', problem: '' };
}

function byCode(code: number, failed: boolean, command: string): Pick<Verdict, 'outcome' | 'problem'> {
  const absent = code === 1 && searchesOnly(command);
  return {
    outcome: code === -1 || absent || (code === 0 && failed) ? 'ambiguous' : code === 0 ? 'pass' : 'fail',
    problem: problems(
      code === -1 && 'the exit code -1 is also given for commands that went well',
      code === 0 && failed && 'recorded as failed, with exit code 0',
      absent && 'exit code 1 of a search or comparison also means that nothing was found',
    ),
  };
}

/** A bare `grep` or `diff`: exit code 1 is an answer, not a failure. */
export function searchesOnly(command: string): boolean {
  return /^\s*(?:git\s+)?(?:grep|egrep|fgrep|rg|diff)(?:\s[^|;&\n]*)?$/.test(command);
}
