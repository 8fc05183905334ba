import { describe, expect, it } from 'vitest';
import { qDelegate } from '../../src/parsers/q-delegate.js';
import { itReadsOneObject } from '../support/json-store-cases.js';
import { jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const DEV = {
  agent: 'dev',
  task: '=1+1; deploy',
  status: 'failed',
  launched_at: 1777133000,
  completed_at: 1777133060,
  pid: 4712,
  exit_code: 1,
  output: 'line 1\n\u001b[32mUsing tool: execute_bash\u001b[0m (trusted)\n\u001b[31mboom\u001b[0m',
  user_notified: true,
  summary: 'Deploy failed.',
  cwd: '/srv/shop',
};

const read = (value: unknown) => jsonDraftsOf(qDelegate, value, { inProject: true, base: 'home/code/shop' });

describe('q-delegate', () => {
  itReadsOneObject(qDelegate, 'delegate record', DEV);

  it('gives launch and end of a task', () => {
    const rows = read(DEV);
    expect(rows).toEqual([
      {
        row_type: 'delegate',
        text: 'delegate task launched: agent=dev pid=4712: =1+1; deploy',
        time: { ms: 1777133000000, ns: 0, source: 'launched_at', original: '1777133000' },
        origin: 'agent',
        status: '',
        problem: '',
        project_path: '/srv/shop',
        details: {
          agent: 'dev',
          status: 'failed',
          launched_at: 1777133000,
          completed_at: 1777133060,
          pid: 4712,
          user_notified: true,
          cwd: '/srv/shop',
          approval: 'the program asks, but ignores the answer',
        },
      },
      {
        row_type: 'delegate',
        text: `delegate task failed: agent=dev exit_code=1\nsummary: Deploy failed.\noutput: ${DEV.output}`,
        time: { ms: 1777133060000, ns: 0, source: 'completed_at', original: '1777133060' },
        status: 'failed',
        outcome: 'fail',
        exit_code: 1,
        duration_ms: 60000,
        problem: '',
        project_path: '/srv/shop',
        details: { tools_mentioned: ['execute_bash'] },
      },
    ]);
    expect(missingLeaves(DEV, rows)).toEqual([]);
  });

  it('gives no end for a running task, and the folder where the record says Unknown', () => {
    const rows = read({
      ...DEV,
      agent: 'q_cli_default',
      pid: 4711,
      task: 'run the tests',
      status: 'running',
      launched_at: 1777132900,
      completed_at: null,
      exit_code: null,
      output: 'so far',
      summary: '',
      cwd: 'Unknown',
    });
    expect(rows.map((d) => [d.text, d.status, d.project_path, d.problem])).toEqual([
      [
        'delegate task launched: agent=q_cli_default pid=4711 trust_all_tools=true: run the tests',
        'running',
        'home/code/shop',
        'status running without completed_at: may be stale',
      ],
    ]);
    expect(rows[0]?.time?.ms).toBe(Date.parse('2026-04-25T16:01:40Z'));
    expect(rows[0]?.details).toMatchObject({ output: 'so far', cwd: 'Unknown', project_path_source: 'folder of the record' });
    expect(rows[0]?.details).not.toHaveProperty('approval');
  });

  it.each([[undefined], [0], [-1], [1777132900000]])('claims no start time for %s', (launched_at) => {
    const [launch, end] = read({
      agent: 'old',
      task: 't',
      status: 'completed',
      launched_at,
      completed_at: 1777133100,
      pid: 1,
      exit_code: 0,
      output: 'ok',
      cwd: '',
    });
    expect(launch?.time).toBeUndefined();
    expect(launch?.problem).toMatch(/^launched_at is /);
    expect(launch?.project_path).toBe('home/code/shop');
    expect([end?.text, end?.time?.ms, end?.outcome, end?.duration_ms]).toEqual([
      'delegate task completed: agent=old exit_code=0\noutput: ok',
      Date.parse('2026-04-25T16:05:00Z'),
      'pass',
      null,
    ]);
  });

  it('proves no outcome without an exit code of the run itself', () => {
    const lost = { ...DEV, exit_code: -1, output: 'Process terminated unexpectedly (PID not found)' };
    const outcomes = [{ ...DEV, exit_code: null }, lost, { ...DEV, exit_code: 0 }].map((record) => read(record)[1]);
    expect(outcomes.map((d) => [d?.outcome, d?.exit_code, d?.problem])).toEqual([
      ['ambiguous', null, ''],
      ['ambiguous', -1, 'exit code and output come from the program, which found the process gone'],
      ['ambiguous', 0, 'status and exit code contradict each other'],
    ]);
  });

  it('keeps an unknown status, unknown fields and fields of a wrong type', () => {
    const odd = { agent: 'a', task: 5, status: 'paused', launched_at: 'soon', output: ['o'], retries: 2 };
    const rows = read(odd);
    expect(rows.map((d) => [d.text, d.status, d.problem])).toEqual([
      [
        'delegate task launched: agent=a pid=unknown: ',
        'unknown',
        'task: Invalid input: expected string, received number; launched_at: Invalid input: ' +
          'expected number, received string; output: Invalid input: expected string, received array; ' +
          'launched_at is missing or 0: the start time is not recorded; no status the program knows',
      ],
    ]);
    expect(missingLeaves(odd, rows)).toEqual([]);
    expect(read({ ...odd, launched_at: 1777133000, completed_at: 1777133001, status: 'lost' })[1]?.text).toBe(
      'delegate task lost: agent=a exit_code=unknown',
    );
  });

  it('keeps a huge output whole', () => {
    expect(read({ ...DEV, output: 'Using tool: '.repeat(200_000) })[1]?.text.length).toBeGreaterThan(2_400_000);
  });
});
