import type { Draft } from '../../rows/draft.js';
import { loggedCommand } from '../hook-capture/corroboration.js';
import { pairs, problems } from '../json-store.js';
import type { LoggedCommand } from './command-log.js';

// A claim is what the model wrote down; the command log is what a hook saw. Each stands in a row of its own, and where they
// contradict each other both rows say so. Rules as the stop gate of the program has them (docs/spec/runtime-hook-surface.md, 2.3
// and 2.5): an ambiguous run confirms nothing, a run that is not in the log proves nothing.

export interface Claim {
  /** Status as claimed. */
  readonly status: string;
  readonly command: string;
  readonly pointer: string;
  readonly label: string;
}

export interface Evidence {
  /** Absent: there is no command log beside the claims. */
  readonly commands: readonly LoggedCommand[] | undefined;
  readonly broken: boolean;
}

export interface Proof {
  readonly row: Draft;
  /** What claim and log say against each other, or empty. */
  readonly contradiction: string;
}

const MOST_RUNS = 20;

/** What the log proves about a claim; undefined for a claim that says nothing of success or failure. */
export function proofOf(claim: Claim, { commands, broken }: Evidence): Proof | undefined {
  const { status, command, pointer, label } = claim;
  if (status !== 'pass' && status !== 'fail') return undefined;
  const wanted = loggedCommand(command);
  const runs = wanted === '' ? [] : (commands ?? []).filter((run) => loggedCommand(run.command) === wanted);
  const last = runs.at(-1);
  const contradiction = last === undefined ? '' : contradictionOf(status, last, runs);
  const result = last === undefined ? 'none' : last.result || 'unknown';
  const shown = pairs({ result, runs: runs.length, exit_code: last?.exitCode, line: last?.line, command: wanted });
  return {
    contradiction,
    row: {
      row_type: 'log',
      text: `proof: ${label}${shown}`,
      origin: 'automatic',
      command: wanted,
      outcome: last?.result === 'pass' || last?.result === 'fail' ? last.result : 'ambiguous',
      exit_code: last?.exitCode ?? null,
      source_pointer: pointer,
      problem: problems(
        contradiction,
        wanted === '' && `claimed as ${status}, but the claim names no command: nothing in a log can confirm it`,
        wanted !== '' && commands === undefined && `claimed as ${status}, but there is no command log beside the claim`,
        wanted !== '' &&
          commands !== undefined &&
          last === undefined &&
          `claimed as ${status}, but the command log holds no run of the command`,
        (last?.result === 'ambiguous' || last?.result === '') &&
          `claimed as ${status}: the last run in the log is ambiguous and confirms nothing`,
        broken && 'the chain of the command log is broken: the log may have been changed',
      ),
      details: {
        claimed: status,
        source: 'command-log.jsonl beside the claim',
        runs: runs
          .slice(-MOST_RUNS)
          .map((run) => ({ line: run.line, result: run.result, exit_code: run.exitCode, time: run.time?.original ?? '' })),
      },
    },
  };
}

function contradictionOf(status: 'pass' | 'fail', last: LoggedCommand, runs: readonly LoggedCommand[]): string {
  if (status === 'pass' && last.result === 'fail') {
    const earlier = runs.some((run) => run.result === 'pass') ? '; an earlier run passed' : '';
    const code = last.exitCode === null ? '' : ` with exit code ${last.exitCode}`;
    return `contradiction: claimed as pass, but the last run in the command log failed${code}${earlier}`;
  }
  return status === 'fail' && last.result === 'pass' ? 'contradiction: claimed as fail, but the last run in the command log passed' : '';
}
