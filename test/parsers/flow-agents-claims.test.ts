import { describe, expect, it } from 'vitest';
import { flowAgentsSidecar } from '../../src/parsers/flow-agents/sidecar.js';
import { brief, lines } from '../support/hook-rows.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { draftsOf, MTIME } from '../support/memory-source.js';

const run = (command: string, observedResult: string, exitCode: number | null) => ({
  command,
  observedResult,
  exitCode,
  capturedAt: '2026-10-01T09:00:00Z',
});
const LOG = lines(
  run('npm test', 'pass', 0),
  run('npm test', 'fail', 1),
  run('npm run lint', 'pass', 0),
  run('npm run e2e', 'ambiguous', null),
);
const check = (id: string, status: string, command?: string) => ({
  id,
  kind: 'test',
  status,
  summary: `${id} done`,
  ...(command ? { command } : {}),
});
const rowsOf = (record: unknown, log: string | undefined = LOG) =>
  draftsOf(
    flowAgentsSidecar,
    JSON.stringify(record),
    { file: 'shop/.kontourai/flow-agents/checkout/evidence.json', base: 'shop', inProject: true },
    log === undefined ? {} : { 'command-log.jsonl': log },
  );
const evidence = (...checks: readonly object[]) => ({ schema_version: '1.0', task_slug: 'checkout', verdict: 'pass', checks });

describe('claims and what the command log proves', () => {
  it('are two rows, and a contradiction is said in both and in the verdict', () => {
    const rows = rowsOf(evidence(check('unit', 'pass', 'npm  test'), check('lint', 'pass', 'npm run lint')));
    expect(brief(rows, 'outcome', 'exit_code')).toEqual([
      ['session', 'claim: evidence verdict=pass checks=2 slug=checkout', undefined, undefined],
      ['session', 'claim: check=unit kind=test status=pass command=npm  test: unit done', undefined, undefined],
      ['log', 'proof: check=unit result=fail runs=2 exit_code=1 line=2 command=npm test', 'fail', 1],
      ['session', 'claim: check=lint kind=test status=pass command=npm run lint: lint done', undefined, undefined],
      ['log', 'proof: check=lint result=pass runs=1 exit_code=0 line=3 command=npm run lint', 'pass', 0],
    ]);
    const said = 'contradiction: claimed as pass, but the last run in the command log failed with exit code 1; an earlier run passed';
    expect(rows.map((row) => row.problem)).toEqual([
      'contradiction: the verdict is pass, but the command log contradicts unit',
      said,
      said,
      '',
      '',
    ]);
    expect(rows[2]?.details).toMatchObject({
      claimed: 'pass',
      runs: [
        { line: 1, result: 'pass', exit_code: 0 },
        { line: 2, result: 'fail', exit_code: 1 },
      ],
    });
    expect(rows[1]?.time).toEqual(MTIME);
  });

  it('names what proves nothing: no run, no command, an ambiguous run, no log, a broken log', () => {
    const problem = (claim: object, log?: string) => rowsOf(evidence(claim), log).find((row) => row.row_type === 'log')?.problem;
    expect(problem(check('a', 'pass', 'make'))).toBe('claimed as pass, but the command log holds no run of the command');
    expect(problem(check('a', 'pass'))).toBe('claimed as pass, but the claim names no command: nothing in a log can confirm it');
    expect(problem(check('a', 'pass', 'npm run e2e'))).toBe('claimed as pass: the last run in the log is ambiguous and confirms nothing');
    expect(problem(check('a', 'fail', 'npm run lint'))).toBe('contradiction: claimed as fail, but the last run in the command log passed');
    const chained = { ...run('make', 'pass', 0), _chain: { seq: 1, prevHash: 'x', hash: 'y' } };
    expect(problem(check('a', 'pass', 'make'), JSON.stringify(chained))).toContain('the chain of the command log is broken');
    const alone = draftsOf(flowAgentsSidecar, JSON.stringify(evidence(check('a', 'pass', 'make'))));
    expect(alone.at(-1)?.problem).toBe('claimed as pass, but there is no command log beside the claim');
  });

  it('makes no proof of a claim that says nothing', () => {
    expect(rowsOf(evidence(check('a', 'skip', 'make'), check('b', 'not_verified'))).map((row) => row.row_type)).toEqual([
      'session',
      'session',
      'session',
    ]);
  });

  it('reads criteria with the commands they refer to', () => {
    const criteria = [
      {
        id: 'AC1',
        description: 'builds',
        status: 'pass',
        evidence_refs: [
          { kind: 'command', excerpt: 'npm test' },
          { kind: 'source', file: 'a.ts' },
        ],
      },
      { id: 'AC2', description: 'fast', status: 'pending' },
    ];
    const rows = rowsOf({ schema_version: '1.0', task_slug: 'checkout', criteria, goal_fit: { status: 'pass', summary: 'all met' } });
    expect(brief(rows)).toEqual([
      ['session', 'claim: acceptance goal_fit=pass criteria=2 slug=checkout: all met'],
      ['session', 'claim: criterion=AC1 status=pass: builds'],
      ['log', 'proof: criterion=AC1 result=fail runs=2 exit_code=1 line=2 command=npm test'],
      ['session', 'claim: criterion=AC2 status=pending: fast'],
    ]);
    expect(rows[1]?.problem).toContain('contradiction');
    expect(rows[2]?.source_pointer).toBe('/criteria/0/evidence_refs/0');
  });
});

describe('other records of a piece of work', () => {
  it('reads state, reviews, runs and pointers', () => {
    const state = { status: 'blocked', phase: 'verify', task_slug: 'checkout', updated_at: '2026-10-01T09:00:00Z', next_action: 'ask' };
    expect(brief(rowsOf(state))).toEqual([['session', 'session: workflow state status=blocked phase=verify slug=checkout']]);
    expect(rowsOf(state)[0]?.time?.source).toBe('record');
    const findings = [{ id: 'f1', severity: 'high', status: 'open', description: 'no test' }];
    const review = { id: 'c1', reviewer: 'sec', reviewed_at: '2026-10-01T09:00:00Z', verdict: 'fail', summary: 'not yet', findings };
    expect(brief(rowsOf({ task_slug: 'checkout', status: 'fail', critiques: [review] }))).toEqual([
      ['session', 'critique: status=fail reviews=1 slug=checkout'],
      ['session', 'critique: review reviewer=sec verdict=fail findings=1: not yet'],
      ['session', 'critique: finding id=f1 severity=high status=open: no test'],
    ]);
    const transitions = [
      { from_step: 'plan', to_step: 'build', status: 'ok', reason: 'gate met', gate_id: 'g', at: '2026-10-01T09:00:00Z' },
    ];
    expect(brief(rowsOf({ status: 'running', current_step: 'build', transitions }))).toEqual([
      ['session', 'session: flow run status=running step=build transitions=1'],
      ['session', 'session: flow transition from=plan to=build status=ok gate=g: gate met'],
    ]);
    expect(brief(rowsOf({ active_slug: 'checkout', artifact_dir: 'x' }))).toEqual([
      ['session', 'session: active work slug=checkout actor=evidence'],
    ]);
    expect(brief(rowsOf({ later: 1 }))).toEqual([['session', 'session: workflow record file=evidence.json slug=checkout']]);
  });

  itReadsOneObject(flowAgentsSidecar, 'Flow Agents record', evidence(check('a', 'pass')));
});
