import { describe, expect, it } from 'vitest';
import { kiroIdeMigration } from '../../src/parsers/kiro-ide/migration.js';
import { kiroIdeSessionIndex } from '../../src/parsers/kiro-ide/session-index.js';
import { kiroIdeWorkspaceSession } from '../../src/parsers/kiro-ide/workspace-session.js';
import { AGENT, brief, ENCODED, INDEX, indexFile, only, SESSION, STORED, sessionFile } from '../support/kiro-ide.js';
import { draftsOf, jsonDraftsOf, missingLeaves } from '../support/memory-source.js';

const read = (value: unknown, beside: Record<string, string> = { 'sessions.json': JSON.stringify(INDEX) }) =>
  draftsOf(kiroIdeWorkspaceSession, JSON.stringify(value), sessionFile(), beside);

const withFiles = { ...indexFile, listing: new Map([['.', INDEX.map(({ sessionId }) => `${sessionId}.json`)]]) };

describe('a session file', () => {
  it('gives what was typed and attached; the placeholder is no answer', () => {
    const drafts = read(STORED);
    expect(drafts.map(brief)).toEqual([
      `session | session: listed in index id=${SESSION}: Add health route | 2026-05-27T20:00:00.000Z`,
      'session | session: workspace session: Add health route | ',
      'model | model: auto source=selectedModel | ',
      'permission | permission setting: autonomyMode=full (from session file, as last written) | ',
      'prompt | add /healthz | ',
      'context | API_KEY=not-a-real-key | ',
      'session | session: answer left to the execution log execution=ex-0001: placeholder "On it." is stored | ',
    ]);
    expect(new Set(drafts.map((draft) => draft.session_id))).toEqual(new Set([SESSION]));
    expect(new Set(drafts.map((draft) => draft.project_path))).toEqual(new Set(['/home/alice/proj']));
    expect(drafts.filter((draft) => draft.problem)).toEqual([]);
    expect(drafts[4]).toMatchObject({ origin: 'typed', message_id: 'm1', source_pointer: '/history/0/message', rank: 1 });
    expect(drafts[5]).toMatchObject({ origin: 'injected', file_paths: ['.env'], source_pointer: '/history/0/contextItems/0' });
    // Roles are told by the type of the row.
    expect(missingLeaves(STORED, drafts).filter((leaf) => leaf !== 'user' && leaf !== 'assistant')).toEqual([]);
  });

  it('gives a real answer, the texts of the model, and what else an entry holds', () => {
    const history = [
      {
        message: {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'imageUrl', imageUrl: { url: `data:image/png;base64,${Buffer.alloc(3000, 1).toString('base64')}` } },
            { type: 'mention', label: '#file' },
          ],
        },
        editorState: { root: 'look' },
      },
      { executionId: 'ex-9' },
      {
        message: { role: 'assistant', content: 'Seen.' },
        executionId: 'ex-9',
        promptLogs: { completion: 'Seen, raw.', prompt: 'SYSTEM look' },
      },
      { message: { role: 'assistant', content: [{ type: 'tool_use', name: 'fsWrite', input: { path: 'a' } }] } },
      { message: { role: 'narrator', content: 'x' } },
    ];
    const drafts = read({ ...STORED, history });
    expect(drafts.slice(4).map(brief)).toEqual([
      'prompt | look | ',
      'session | session: entry without a message execution=ex-9 | ',
      'assistant | Seen. | ',
      'context | SYSTEM look | ',
      'assistant | Seen, raw. | ',
      'gap | gap: answer not in the session file: no text is stored | ',
      'tool_use | {"path":"a"} | ',
      'session | session: entry of the role "narrator" | ',
    ]);
    expect(JSON.stringify(drafts[4]?.details)).toMatch(/\[image\/png, 3000 bytes, sha256=[0-9a-f]{64}\]/);
    // Belongs to the execution of the entry behind it.
    expect(drafts[4]?.identity).toBe('kiro-ide\u0000prompt\u0000ex-9');
    const held = drafts.slice(4);
    expect(missingLeaves(history.slice(1), held)).toEqual([]);
    expect(missingLeaves([{ root: 'look' }, '#file'], held)).toEqual([]);
  });

  it('keeps the words of a person apart from rules and the environment', () => {
    const text = '## Included Rules\n<user-rule>be kind</user-rule>\nship it\n<EnvironmentContext>\nopen: a.ts\n</EnvironmentContext>';
    const drafts = read({ ...STORED, history: [{ message: { role: 'user', content: text } }] }).slice(4);
    expect(drafts.map((draft) => [draft.row_type, draft.text, draft.origin])).toEqual([
      ['context', '## Included Rules\n<user-rule>be kind</user-rule>', 'injected'],
      ['prompt', 'ship it', 'typed'],
      ['context', '<EnvironmentContext>\nopen: a.ts\n</EnvironmentContext>', 'injected'],
    ]);
  });

  it('says where index, folder and file disagree', () => {
    const folder = { ...indexFile, listing: new Map([['.', ['a.json', 'sessions.json', '._migration-a.json', 'notes.txt']]]) };
    const unlisted = (index: string) =>
      only(draftsOf(kiroIdeSessionIndex, index, folder), 'gap').map(({ text, problem }) => [text, problem]);
    const why = expect.stringMatching(/^the list was cut or written anew/);
    const named = ['gap: session file not listed in sessions.json file=a.json', why];
    expect(unlisted('[]')).toEqual([['gap: session index lists no session', undefined], named]);
    expect(unlisted('[{"sessionId":"a"}]')).toEqual([]);
    // A list that was cut off may have named it.
    expect(unlisted('[{"sessionId":"b"},{"sess')).toEqual([
      ['gap: session listed, its file is not there file=b.json', expect.anything()],
      [named[0], expect.stringMatching(/^the list could not be read in full; the list was cut/)],
    ]);
    const moved = read({ ...STORED, workspaceDirectory: '/home/alice/other', sessionId: 'other' });
    const problem = only(moved, 'session')[0]?.problem;
    expect(problem).toContain('the id is not the name of the file');
    expect(problem).toContain('named after another path: /home/alice/proj');
    const odd = draftsOf(kiroIdeWorkspaceSession, JSON.stringify(STORED), { file: `${AGENT}/workspace-sessions/%%%/${SESSION}.json` });
    expect(only(odd, 'session')[0]?.problem).toContain('not an encoded path: %%%');
    expect(odd[0]?.project_path).toBe('/home/alice/proj');
  });

  it('takes the workspace from the folder where the file names none', () => {
    const { workspaceDirectory: _, ...rest } = STORED;
    expect(new Set(read(rest).map((draft) => draft.project_path))).toEqual(new Set(['/home/alice/proj']));
  });
});

describe('the index', () => {
  it('lists sessions, hidden ones too, each joined with the row of its file', () => {
    const drafts = jsonDraftsOf(kiroIdeSessionIndex, INDEX, withFiles);
    expect(drafts.map(brief)).toEqual([
      `session | session: listed in index id=${SESSION}: Add health route | 2026-05-27T20:00:00.000Z`,
      'session | session: hidden in index id=99999999-2222-4333-8444-555555555555: Hidden one | 2026-05-27T20:10:00.000Z',
    ]);
    const inFile = read(STORED)[0];
    expect([drafts[0]?.identity, drafts[0]?.text, drafts[0]?.rank]).toEqual([inFile?.identity, inFile?.text, 1]);
    expect(missingLeaves(INDEX, drafts)).toEqual([]);
  });

  it('keeps what it cannot use and says why', () => {
    const drafts = jsonDraftsOf(
      kiroIdeSessionIndex,
      [{ title: 't', dateCreated: 'soon', hidden: 'yes' }, 7, INDEX[0], INDEX[0]],
      withFiles,
    );
    expect(drafts.map((draft) => draft.problem)).toEqual([
      'the entry has no session id; dateCreated is not a date; hidden is neither true nor false',
      'session index: an entry is not an object',
      '',
      'the session is listed more than once',
      // An entry that cannot be read may have named the second file.
      expect.stringMatching(/^the list could not be read in full/),
    ]);
    expect(missingLeaves(['t', 'soon', 'yes', 7], drafts)).toEqual([]);
    expect(jsonDraftsOf(kiroIdeSessionIndex, [], indexFile).map(brief)).toEqual(['gap | gap: session index lists no session | ']);
    expect(jsonDraftsOf(kiroIdeSessionIndex, { a: 1 }, indexFile).map((draft) => draft.row_type)).toEqual(['error']);
  });
});

it('a migration marker joins the two ids and checks the hash', () => {
  const marker = {
    migratedAt: '2026-06-20T10:00:00.500Z',
    v2SessionId: 'sess_x',
    workspaceHash: '2af6b4a70d443ffd',
    v1WorkspaceDirectory: '/home/alice/proj',
    markerVersion: 1,
  };
  const artifact = { file: `${AGENT}/workspace-sessions/${ENCODED}/._migration-${SESSION}.json` };
  const [row, ...others] = jsonDraftsOf(kiroIdeMigration, marker, artifact);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ text: 'session: migrated to v2 session=sess_x', session_id: SESSION, problem: '' });
  expect(row?.time?.original).toBe('2026-06-20T10:00:00.500Z');
  expect(jsonDraftsOf(kiroIdeMigration, { ...marker, workspaceHash: 'abc', migratedAt: 5 }, artifact)[0]?.problem).toContain(
    'hash does not match',
  );
});
