import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/rows/row.js';
import { testFolder } from '../support/cli.js';
import { AGENT, EXECUTION, INDEX, indexFile, logFile, SAVES, SESSION, STORED, sessionFile, WORKSPACE } from '../support/kiro-ide.js';
import { jsonl, timelineOf, writeFiles } from '../support/timeline.js';

// What a list names and is not there, and what lies there and no list names.

const folder = testFolder();
const KIRO = 'home/alice/.kiro';
const write = (name: string, files: Readonly<Record<string, unknown>>) => writeFiles(join(folder, name), files);
const told = (rows: readonly Row[]) =>
  rows.filter(({ row_type, text }) => row_type === 'gap' || /is there/.test(text)).map(({ text, session_id }) => `${text} | ${session_id}`);

describe('lists of the IDE', () => {
  const HIDDEN = '99999999-2222-4333-8444-555555555555';
  const STRAY = '33333333-2222-4333-8444-555555555555';
  const CATALOGUE = `${AGENT}/${WORKSPACE}/f62de366d0006e17ea00a01f6624aabf`;
  const EXECUTIONS = { version: '2.0.0', executions: [{ executionId: 'ex-0001', startTime: 1779912001000 }] };

  it('say which sessions have no file, and files which are not listed', async () => {
    const { rows } = await timelineOf(
      write('ide-sessions', {
        [indexFile.file]: INDEX,
        [sessionFile().file]: STORED,
        [sessionFile(STRAY).file]: { ...STORED, sessionId: STRAY, history: [] },
      }),
    );
    expect(told(rows).filter((text) => !text.includes('answer'))).toEqual([
      `gap: session listed, its file is not there file=${HIDDEN}.json | ${HIDDEN}`,
      `gap: session file not listed in sessions.json file=${STRAY}.json | ${STRAY}`,
    ]);
    const gap = rows.find((row) => row.text.includes('not there'));
    expect(gap).toMatchObject({ project_path: '/home/alice/proj', source_pointer: '/1', source_file: indexFile.file });
    expect(gap?.problem).toBe('deleted, moved, or left out of a partial copy: which is not recorded');
  });

  it('do not call a session missing when only the list was handed over', async () => {
    const root = write('ide-alone', { [indexFile.file]: INDEX });
    const { rows } = await timelineOf(join(root, indexFile.file));
    expect(told(rows)).toEqual(['gap: folder of the listed sessions was not collected sessions=2 | ']);
  });

  it('say which executions have no log, and logs which are not listed', async () => {
    const listed = { ...EXECUTIONS, executions: [...EXECUTIONS.executions, { executionId: 'ex-gone', chatSessionId: SESSION }] };
    const files = { [CATALOGUE]: listed, [logFile.file]: EXECUTION };
    const { rows } = await timelineOf(write('ide-logs', { ...files, [`${AGENT}/${WORKSPACE}/${SAVES}/${'f'.repeat(32)}`]: EXECUTION }));
    expect(told(rows)).toEqual([
      `gap: execution listed without log execution=ex-gone file=cadef4e06a2110f809fd1eaada51171c | ${SESSION}`,
      `gap: execution log not listed file=${'f'.repeat(32)} | `,
    ]);
  });

  it('tell a folder of logs that is empty from one that was not collected', async () => {
    const root = write('ide-empty', { [CATALOGUE]: EXECUTIONS });
    expect(told((await timelineOf(root)).rows)).toEqual(['gap: folder of the execution logs was not collected executions=1 | ']);
    mkdirSync(join(root, AGENT, WORKSPACE, SAVES));
    expect(told((await timelineOf(root)).rows)).toEqual([
      'gap: execution listed without log execution=ex-0001 file=742e579cde6b2caeab722c1f55e9df35 | ',
    ]);
  });
});

describe('the index of the v3 engine', () => {
  const BUCKET = '32cfb46d463b7613';
  const entry = (op: string, session: string, at: number) => ({ op, sessionPath: `${BUCKET}/${session}`, at: 1789364833000 + at });
  const index = jsonl(
    entry('add', 'sess_there', 1),
    entry('add', 'sess_gone', 2),
    entry('add', 'sess_moved', 3),
    entry('add', 'sess_removed', 4),
    entry('remove', 'sess_removed', 5),
    entry('add', 'sess_back', 6),
    entry('remove', 'sess_back', 7),
  );
  const session = (bucket: string, id: string) => ({ [`${KIRO}/sessions/${bucket}/${id}/session.json`]: { id, workspacePaths: ['/p'] } });
  const log = (bucket: string, id: string) => ({ ...session(bucket, id), [`${KIRO}/sessions/${bucket}/${id}/messages.jsonl`]: '' });

  it('is set against the folders, both ways', async () => {
    const { rows } = await timelineOf(
      write('v3', {
        [`${KIRO}/session-index/${BUCKET}.jsonl`]: index,
        [`${KIRO}/spec-sessions/${BUCKET}.json`]: { login: 'sess_there', export: 'sess_lost' },
        ...log(BUCKET, 'sess_there'),
        ...log(BUCKET, 'sess_back'),
        ...log(BUCKET, 'sess_stray'),
        ...log('a7ffdb64ec4c31c8', 'sess_moved'),
        [`${KIRO}/sessions/${BUCKET}/workflows/w1/workflow-state.json`]: {},
      }),
    );
    expect(told(rows).sort()).toEqual([
      'gap: session folder not listed in the index session=sess_stray | sess_stray',
      'gap: session listed, its folder is not there session=sess_gone | sess_gone',
      'gap: session listed, its folder is not there session=sess_lost | sess_lost',
      'gap: session listed, its folder lies in another bucket session=sess_moved bucket=a7ffdb64ec4c31c8 | sess_moved',
      'session: removed from index, its folder is there session=sess_back | sess_back',
    ]);
    expect(rows.find((row) => row.text.includes('sess_gone') && row.row_type === 'gap')?.source_line).toBe(2);
  });

  it('does not call sessions missing when their folder was not collected, but when it lacks the bucket', async () => {
    const root = write('v3-alone', { [`${KIRO}/session-index/${BUCKET}.jsonl`]: jsonl(entry('add', 'sess_gone', 1)) });
    expect(told((await timelineOf(root)).rows)).toEqual(['gap: folder of the listed sessions was not collected sessions=1 | ']);
    mkdirSync(join(root, KIRO, 'sessions'));
    expect(told((await timelineOf(root)).rows)).toEqual(['gap: session listed, its folder is not there session=sess_gone | sess_gone']);
  });
});

describe('the files of one session', () => {
  const at = (id: string, payload: object) => ({ id, timestamp: '2026-09-14T05:47:13.504Z', payload });
  const calls = (...runs: string[]) => runs.map((subSessionId) => at(`start-${subSessionId}`, { type: 'sub_agent_start', subSessionId }));
  const result = (name: string) =>
    at(name, { type: 'tool_result', toolCallId: 'c', content: `saved as tool-outputs/${name}`, success: true });

  it('are looked for by the log, and the other way', async () => {
    const at = `${KIRO}/sessions/_global/sess_a`;
    const log = jsonl(...calls('run1', 'run2'), result('read-0a1b2c3d.txt'), result('read-ffffffff.txt'));
    const files = {
      'messages.jsonl': log,
      'sub-executions/run1.jsonl': '',
      'sub-executions/run3.jsonl': '',
      'tool-outputs/read-0a1b2c3d.txt': 'x',
    };
    const { rows } = await timelineOf(
      write('v3-parts', Object.fromEntries(Object.entries(files).map(([name, content]) => [`${at}/${name}`, content]))),
    );
    expect(told(rows)).toEqual([
      'gap: run of a sub-agent not named in the log of the session file=sub-executions/run3.jsonl | sess_a',
      'gap: session log without session.json | sess_a',
    ]);
    const missing = rows.filter((row) => /is not there/.test(row.problem)).map((row) => `${row.row_type} ${row.message_id}`);
    expect(missing).toEqual(['delegate start-run2', 'tool_result read-ffffffff.txt']);
  });

  it('of the v2 engine are missed by their journal', async () => {
    const id = '7d0e1c52-1111-4222-8333-444444444444';
    const log = jsonl({ version: 'v1', kind: 'Prompt', data: { message_id: 'm', content: [{ kind: 'text', data: 'go' }] } });
    const root = write('v2-parts', { [`${KIRO}/sessions/cli/${id}.jsonl`]: log });
    expect(told((await timelineOf(root)).rows)).toEqual([`gap: journal without a session file | ${id}`]);
  });
});
