import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TooLargeError } from '../../src/evidence/source.js';
import { kiroV3Cursor } from '../../src/parsers/kiro-v3/cursor.js';
import { kiroV3Session } from '../../src/parsers/kiro-v3/session.js';
import { kiroSessionIndex } from '../../src/parsers/kiro-v3/session-index.js';
import { kiroV3Snapshot } from '../../src/parsers/kiro-v3/snapshot.js';
import { kiroSpecSessions } from '../../src/parsers/kiro-v3/spec-sessions.js';
import { kiroV3ToolOutput } from '../../src/parsers/kiro-v3/tool-output.js';
import { kiroTrust } from '../../src/parsers/kiro-v3/trust.js';
import { kiroV3Workflow } from '../../src/parsers/kiro-v3/workflow.js';
import { SESSION } from '../support/kiro-v3-log.js';
import { draftsOf, MTIME, memorySource } from '../support/memory-source.js';

const FOLDER = `home/alice/.kiro/sessions/32cfb46d463b7613/${SESSION}`;
const inSession = (name: string) => ({ file: `${FOLDER}/${name}` });

describe('kiro-v3-session', () => {
  const STORED = {
    id: SESSION,
    title: 'Fix it',
    agentMode: 'vibe',
    workspacePaths: ['/home/alice/Proj'],
    createdAt: '2026-09-14T05:47:13.504Z',
    lastModifiedAt: '2026-09-14T05:48:04.966Z',
    modelId: 'auto',
    status: 'idle',
    autopilot: true,
    parentSessionId: 'sess_p',
    createdReason: 'tangent',
    _meta: { kiro: { policyPreset: ['edit-workspace', 5] } },
  };
  const read = (content: string, beside: Record<string, string> = { 'messages.jsonl': '' }) =>
    draftsOf(kiroV3Session, content, inSession('session.json'), beside);

  it('reads what a session is, its model and its standing grants', () => {
    const rows = read(JSON.stringify(STORED));
    const { createdAt, ...others } = STORED;
    expect(rows[0]).toEqual({
      row_type: 'session',
      text: 'session: created mode=vibe status=idle reason=tangent parent=sess_p: Fix it',
      time: { ms: Date.parse(createdAt), ns: 0, source: 'record', original: createdAt },
      session_id: SESSION,
      project_path: '/home/alice/Proj',
      parent_session_id: 'sess_p',
      problem: '',
      details: others,
    });
    expect(rows.slice(1).map((d) => [d.row_type, d.text, d.time, d.decision])).toEqual([
      ['model', 'model: auto source=session.json', undefined, undefined],
      ['permission', 'permission setting: autopilot=true (from session.json, as last written)', undefined, 'granted'],
      ['permission', 'permission setting: policyPreset=edit-workspace (from session.json, as last written)', undefined, 'granted'],
      ['permission', 'permission setting: policyPreset=5 (from session.json, as last written)', undefined, 'unknown'],
    ]);
  });

  it('checks folder and id, and takes nothing from a file that lacks everything', () => {
    expect(read(JSON.stringify({ id: 'other', workspacePaths: ['/moved'], createdAt: 'soon' }))[0]?.problem).toBe(
      'createdAt is not a date; bucket does not match the recorded path; the id is not the name of the folder',
    );
    expect(read('{}').map((d) => [d.text, d.problem])).toEqual([['session: created', 'no time of creation is recorded']]);
  });

  it('says when no log lies beside it, unless it was handed over alone', () => {
    expect(read('{}', {}).at(-1)).toMatchObject({ row_type: 'gap', text: 'gap: session without a message log', session_id: SESSION });
    expect(draftsOf(kiroV3Session, '{}', { file: 'session.json' }).map((d) => d.row_type)).toEqual(['session']);
  });

  it('names a file that was cut off', () => {
    const rows = read(JSON.stringify(STORED).slice(0, 60));
    expect(rows.map((d) => [d.row_type, d.session_id, d.time])).toEqual([['error', SESSION, undefined]]);
    expect(rows[0]?.text).toMatch(/^parser: session metadata: invalid JSON/);
  });

  it('reads the id of a converted session from its folder', () => {
    const file = 'home/a/.kiro/sessions/_global/cli_7d0e1c52-1111-4222-8333-444444444444_ab12cd34/session.json';
    const [row] = draftsOf(kiroV3Session, '{"workspacePaths":[]}', { file }, { 'messages.jsonl': '' });
    expect(row?.details).toMatchObject({ engine_hint: 'CLI', converted_from: '7d0e1c52-1111-4222-8333-444444444444' });
    expect(row?.problem).toBe('no time of creation is recorded');
  });
});

describe('kiro-v3-tool-output', () => {
  it('carries a long result whole and undated', () => {
    const text = `${'x'.repeat(40_000)}\nExit Code: 3`;
    expect(draftsOf(kiroV3ToolOutput, text, inSession('tool-outputs/execute_bash-0a1b2c3d.txt'))).toEqual([
      {
        row_type: 'tool_result',
        text,
        tool_name: 'execute_bash',
        status: 'unknown',
        outcome: 'fail',
        exit_code: 3,
        session_id: SESSION,
        problem: '',
        details: { file: 'execute_bash-0a1b2c3d.txt' },
        identity: 'kiro-v3\u0000tool-output\u0000execute_bash-0a1b2c3d.txt',
      },
    ]);
  });

  it('says what is damaged, empty or too large', () => {
    const [damaged] = draftsOf(kiroV3ToolOutput, Buffer.from([0x61, 0xff]), inSession('tool-outputs/a-0a1b2c3d.txt'));
    expect(damaged).toMatchObject({ text: 'a\\xff', problem: 'not valid UTF-8: each damaged byte is written as \\xNN' });
    expect(draftsOf(kiroV3ToolOutput, '', inSession('tool-outputs/a-0a1b2c3d.txt'))[0]?.problem).toBe('the file is empty');
    const bytes = (): Buffer => {
      throw new TooLargeError('too large');
    };
    const source = { ...memorySource('x', inSession('tool-outputs/a-0a1b2c3d.txt')), bytes };
    expect([...kiroV3ToolOutput.parse(source, new Map())].map((d) => d.text)).toEqual([
      'parser: tool output of 1 bytes is too large to be read',
    ]);
  });
});

describe('kiro-v3-snapshot', () => {
  const sha256 = createHash('sha256').update('SECRET=1').digest('hex');

  it('gives path, size and hash, never the content', () => {
    const rows = draftsOf(kiroV3Snapshot, 'SECRET=1', inSession('snapshots/0a0b0c0d/src/.env'));
    expect(rows).toEqual([
      {
        row_type: 'file',
        text: `file: snapshot=0a0b0c0d size=8 sha256=${sha256} path=src/.env`,
        time: MTIME,
        session_id: SESSION,
        file_paths: ['src/.env'],
        problem: '',
        details: { snapshot: '0a0b0c0d', path: 'src/.env', size: 8, sha256 },
      },
    ]);
  });

  it('compares the hash that lies beside it', () => {
    const read = (hash: string) => draftsOf(kiroV3Snapshot, 'SECRET=1', inSession('snapshots/0a0b0c0d/.env'), { '.hash': hash });
    expect(read(`${sha256}\n`)[0]).toMatchObject({ problem: '', details: { noted_sha256: sha256 } });
    expect(read('0'.repeat(64))[0]?.problem).toBe('the content is not the one whose hash lies beside it');
    expect(read('no hash')[0]?.problem).toBe('');
    expect(draftsOf(kiroV3Snapshot, sha256, inSession('snapshots/0a0b0c0d/.hash'))[0]?.text).toBe(
      `file: hash of snapshot=0a0b0c0d sha256=${sha256}`,
    );
    expect(draftsOf(kiroV3Snapshot, 'odd', inSession('snapshots/0a0b0c0d/.hash'))[0]?.problem).toBe('not the SHA-256 of a file');
  });
});

describe('small stores', () => {
  it('reads how far a log was uploaded', () => {
    const read = (name: string, content: string) =>
      draftsOf(kiroV3Cursor, content, inSession(name)).map((d) => [d.row_type, d.text, d.time, d.problem ?? '']);
    expect(read('publish.cursor', '900:12\n')).toEqual([['session', 'session: uploaded to the vendor up to offset=900 seq=12', MTIME, '']]);
    expect(read('publish.cursor', 'x:1')[0]?.slice(0, 2)).toEqual(['error', 'parser: upload cursor is not <offset>:<number>: x:1']);
    expect(read('publish-sub.cursor', '{"run1":{"byteOffset":5,"seq":2},"run2":null}')).toEqual([
      ['session', 'session: uploaded to the vendor up to offset=5 seq=2 sub_session=run1', MTIME, ''],
      ['session', 'session: uploaded to the vendor up to offset=unknown seq=unknown sub_session=run2', MTIME, 'no offset and number'],
    ]);
  });

  it('reads a workflow as it is', () => {
    const file = 'home/a/.kiro/sessions/b/workflows/w1/workflow-state.json';
    const [row] = draftsOf(kiroV3Workflow, '{"workflowName":"ship","status":"running","nodes":[{"id":"n"}]}', { file });
    expect(row).toMatchObject({
      text: 'session: workflow state id=w1 name=ship status=running',
      details: { nodes: [{ id: 'n' }] },
      time: MTIME,
    });
  });

  it('reads the index of sessions', () => {
    const rows = draftsOf(
      kiroSessionIndex,
      '{"op":"add","sessionPath":"32cf/sess_a","at":1789364833504}\n{"op":"remove","sessionPath":"32cf\\\\sess_b","at":0,"x":1}\n{"op":"a',
    );
    expect(rows.slice(0, 2)).toEqual([
      {
        row_type: 'session',
        text: 'session: listed in index op=add path=32cf/sess_a',
        session_id: 'sess_a',
        problem: '',
        source_line: 1,
        source_offset: 0,
        time: { ms: 1789364833504, ns: 0, source: 'record', original: '1789364833504' },
        details: { op: 'add', sessionPath: '32cf/sess_a' },
      },
      {
        row_type: 'session',
        text: 'session: listed in index op=remove path=32cf\\sess_b',
        session_id: 'sess_b',
        problem: 'no time is recorded',
        source_line: 2,
        source_offset: 60,
        time: undefined,
        details: { op: 'remove', sessionPath: '32cf\\sess_b', at: 0, x: 1 },
      },
    ]);
    expect(rows[2]?.row_type).toBe('error');
  });

  it('reads the sessions of specs', () => {
    const listing = new Map([
      ['../sessions', ['file/']],
      ['../sessions/file', ['sess_a/']],
    ]);
    expect(
      draftsOf(kiroSpecSessions, '{"login/x":"sess_a","b":5}', { listing }).map((d) => [d.text, d.session_id, d.source_pointer, d.time]),
    ).toEqual([
      ['session: spec=login/x session=sess_a', 'sess_a', '/login~1x', MTIME],
      ['session: spec=b session=5', '', '/b', MTIME],
    ]);
  });

  it('reads trust that was migrated, and checks its folder', () => {
    const read = (root: string) =>
      draftsOf(kiroTrust, JSON.stringify({ root, at: 1 }), {
        file: 'home/a/.kiro/workspace-roots/c25a05601239adfe/.trust-migration.json',
      })[0];
    expect(read('/tmp/wsX')).toMatchObject({
      row_type: 'config',
      text: 'workspace trusted: root=/tmp/wsX',
      project_path: '/tmp/wsX',
      problem: 'the meaning of this file is not documented',
      details: { at: 1 },
    });
    expect(read('/tmp/other')?.problem).toContain('bucket does not match the recorded path');
    expect(draftsOf(kiroTrust, '{"root":"/tmp/wsX"}', { file: 'home/a/.kiro/.trust-migration.json' })[0]?.problem).not.toContain('bucket');
  });
});
