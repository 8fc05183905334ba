import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/load.js';
import { bucketOf, bucketProblem } from '../../src/parsers/kiro-v3/bucket.js';
import { convertedFrom, sessionPlace } from '../../src/parsers/kiro-v3/place.js';
import { SESSION } from '../support/kiro-v3-log.js';

const FOLDER = `home/alice/.kiro/sessions/32cfb46d463b7613/${SESSION}`;

describe('bucket', () => {
  it.each([
    [['/tmp/wsX'], 'c25a05601239adfe'],
    [['c:/temp/kiro-ide-gate'], 'a7ffdb64ec4c31c8'],
    [['C:\\Temp\\Kiro-IDE-gate\\'], 'a7ffdb64ec4c31c8'],
    [['/home/alice/Proj/'], '32cfb46d463b7613'],
    [['/srv/b', '/srv/a'], '5259845bf74da927'],
    [[], '_global'],
  ])('of %j is %s', (paths, bucket) => expect(bucketOf(paths)).toBe(bucket));

  it('is only compared where the folder is one of the program', () => {
    expect(bucketProblem('0123456789abcdef', ['/tmp/wsX'])).toBe('bucket does not match the recorded path');
    expect(bucketProblem('export', ['/tmp/wsX'])).toBe('');
    expect(bucketProblem('0123456789abcdef', undefined)).toBe('');
  });
});

describe('place of a session', () => {
  it.each([
    [`${FOLDER}/messages.jsonl`, '32cfb46d463b7613', SESSION, ''],
    [`${FOLDER}/sub-executions/x-y.jsonl`, '32cfb46d463b7613', SESSION, 'x-y'],
    [`kirohome/sessions/_global/${SESSION}/session.json`, '_global', SESSION, ''],
    [`export/${SESSION}/sub-executions/x.jsonl`, '', SESSION, 'x'],
    ['messages.jsonl', '', '', ''],
    ['some/folder/messages.jsonl', '', '', ''],
    [`${FOLDER}/snapshots/0a0b0c0d/.kiro/sessions/b/sess_inner/messages.jsonl`, '32cfb46d463b7613', SESSION, ''],
  ])('%s', (file, bucket, session, subSession) => expect(sessionPlace(file)).toMatchObject({ bucket, session, subSession }));

  it('tells the session of the older engine', () => {
    expect(convertedFrom('cli_7d0e1c52-1111-4222-8333-444444444444_ab12cd34')).toBe('7d0e1c52-1111-4222-8333-444444444444');
    expect(convertedFrom(SESSION)).toBeUndefined();
  });
});

describe('places in the catalog', () => {
  const claimed = (file: string) =>
    loadCatalog()
      .filter((store) => /^kiro-(?:v3|session-index|spec|trust)/.test(store.id))
      .filter((store) => store.places.some((place) => picomatch.isMatch(file, place.path.toLowerCase(), { dot: true })))
      .map((store) => store.id);

  it.each([
    ['.kiro/sessions/32cfb46d463b7613/sess_x/messages.jsonl', 'kiro-v3-messages'],
    ['.kiro/sessions/_global/sess_x/sub-executions/a.jsonl', 'kiro-v3-messages'],
    ['.kiro/sessions/cafe0123cafe0123/sess_x/session.json', 'kiro-v3-session'],
    ['sessions/32cfb46d463b7613/cli_x_y/messages.jsonl', 'kiro-v3-messages'],
    ['.kiro/sessions/32cfb46d463b7613/sess_x/snapshots/0a0b0c0d/src/.env', 'kiro-v3-snapshot'],
    ['.kiro/sessions/32cfb46d463b7613/sess_x/snapshots/0a0b0c0d/.hash', 'kiro-v3-snapshot'],
    ['.kiro/sessions/32cfb46d463b7613/sess_x/tool-outputs/a-00000000.txt', 'kiro-v3-tool-output'],
    ['.kiro/sessions/32cfb46d463b7613/sess_x/publish-sub.cursor', 'kiro-v3-cursor'],
    ['.kiro/sessions/32cfb46d463b7613/workflows/w/workflow-state.json', 'kiro-v3-workflow'],
    ['.kiro/session-index/32cfb46d463b7613.jsonl', 'kiro-session-index'],
    ['.kiro/spec-sessions/32cfb46d463b7613.json', 'kiro-spec-sessions'],
    ['.kiro/.trust-migration.json', 'kiro-trust'],
    ['.kiro/workspace-roots/32cfb46d463b7613/.trust-migration.json', 'kiro-trust'],
  ])('%s', (file, id) => expect(claimed(file)).toEqual([id]));

  it.each(['.kiro/sessions/cli/x/messages.jsonl', '.kiro/sessions/cli/x/session.json', '.kiro/sessions/cli/x.jsonl'])(
    'leaves %s alone',
    (file) => expect(claimed(file)).toEqual([]),
  );
});
