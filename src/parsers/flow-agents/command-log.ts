import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { fromRfc3339, type Instant } from '../../rows/time.js';
import { type JsonRecord, jsonLines } from '../json-lines.js';
import { pairs, problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import type { FileParser } from '../parser.js';
import { Chain } from './chain.js';
import { flowPlace } from './place.js';
import { contrary } from './result-fields.js';

// .kontourai/flow-agents/<slug>/command-log.jsonl: every shell command a hook saw end, with what the host reported of it.
// It proves that a command ran, with which exit code where the host gives one, at which commit and when the hook wrote it down.
// It cannot show what the command printed, when it began, or which session ran it: the piece of work it belongs to is the folder.
// A hook that failed wrote nothing, so that a command that is missing here may still have run. The hash chain shows changes.
// Versions: older lines have no commit and no chain. Evidence: L1, kontourai/flow-agents: scripts/hooks/evidence-capture.js,
// scripts/lib/command-log-chain.js.

const HEAD = /^\ufeff?\s*\{(?=[^\n]{0,6000}"observedResult"\s*:\s*"(?:pass|fail|ambiguous)")(?=[^\n]{0,6000}"capturedAt"\s*:)/;
const BEGIN = '{"command"';

export const flowAgentsCommandLog: FileParser = {
  id: 'flow-agents-command-log',
  container: 'file',
  echo: 'retold',
  detect: (head) => HEAD.test(head.subarray(0, 8192).toString('utf8')),
  parse,
};

export interface LoggedCommand {
  readonly command: string;
  readonly result: 'pass' | 'fail' | 'ambiguous' | '';
  readonly exitCode: number | null;
  readonly time: Instant | undefined;
  readonly line: number;
}

const RESULTS = ['pass', 'fail', 'ambiguous'] as const;
const STATUS = { pass: 'completed', fail: 'failed', ambiguous: 'unknown', '': 'unknown' } as const;

function* parse(source: FileSource): Generator<Draft> {
  const { project, slug } = flowPlace(source.artifact);
  const chain = new Chain();
  for (const content of jsonLines(source, { begin: BEGIN })) {
    if ('error' in content) {
      chain.unreadable(content.error.source_line ?? 0);
      yield { ...content.error, project_path: project };
    } else yield { ...recordRow(content.record, chain, slug), project_path: project };
  }
  const { verdict, problem, ...facts } = chain.verdict();
  if (facts.records + facts.legacy === 0) return;
  yield {
    row_type: 'log',
    text: `log: command log chain verdict=${verdict}${pairs(facts)}`,
    origin: 'automatic',
    newRun: true,
    project_path: project,
    problem,
    details: { verdict, ...facts, slug },
  };
}

function recordRow({ value, place, problem, damaged }: JsonRecord, chain: Chain, slug: string): Draft {
  const logged = readLogged(value, place.source_line);
  const fault = chain.add(value, place.source_line);
  const { command, observedResult, exitCode, capturedAt, ...rest } = value;
  const code = logged.exitCode === null ? 'unknown' : String(logged.exitCode);
  const result = logged.result === '' ? 'unknown' : logged.result;
  return {
    row_type: 'tool_result',
    text: `command log: result=${result} exit_code=${code}: ${logged.command}`,
    time: logged.time,
    tool_name: 'execute_bash',
    command: logged.command,
    status: STATUS[logged.result],
    outcome: logged.result === '' ? 'ambiguous' : logged.result,
    exit_code: logged.exitCode,
    // It holds no output: every other store tells more.
    rank: 6,
    ...place,
    ...damaged,
    problem: problems(
      typeof command !== 'string' && 'the record names no command',
      !logged.time && 'the record holds no time that can be read',
      logged.result !== '' && contrary(logged.result, logged.exitCode),
      fault,
      problem,
    ),
    details: {
      note: 'the output of the command is not recorded; the tool name stands for any shell tool',
      slug,
      ...(logged.command === ''
        ? {}
        : { corroborates: [{ in: 'session or hook-capture', row_type: 'tool_result', command: logged.command }] }),
      ...named('record', {
        ...rest,
        ...(typeof command === 'string' ? {} : { command }),
        ...(logged.result === '' ? { observedResult } : {}),
        ...(logged.exitCode === null ? { exitCode } : {}),
        ...(logged.time ? {} : { capturedAt }),
      }),
    },
  };
}

export function readLogged(value: JsonObject, line: number): LoggedCommand {
  const { command, observedResult, exitCode, capturedAt } = value;
  return {
    command: typeof command === 'string' ? command : '',
    result: RESULTS.find((result) => result === observedResult) ?? '',
    exitCode: typeof exitCode === 'number' && Number.isSafeInteger(exitCode) ? exitCode : null,
    time: typeof capturedAt === 'string' ? fromRfc3339(capturedAt, 'record') : undefined,
    line,
  };
}

/** What a log beside a claim holds, and whether its chain is sound. */
export function readCommandLog(source: FileSource): { readonly commands: readonly LoggedCommand[]; readonly broken: boolean } {
  const chain = new Chain();
  const commands: LoggedCommand[] = [];
  for (const content of jsonLines(source, { begin: BEGIN })) {
    if ('error' in content) {
      chain.unreadable(content.error.source_line ?? 0);
      continue;
    }
    const { value, place } = content.record;
    chain.add(value, place.source_line);
    if (isObject(value)) commands.push(readLogged(value, place.source_line));
  }
  return { commands, broken: chain.verdict().verdict === 'broken' };
}
