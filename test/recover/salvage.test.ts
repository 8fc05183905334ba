import { expect, it } from 'vitest';
import { varint } from '../../src/recover/bytes.js';
import { checkEntry, gradeEntry } from '../../src/recover/checks.js';
import { readDeadHead } from '../../src/recover/heads.js';
import { stringEnd, unescapeCut, valueEnd } from '../../src/recover/json-scan.js';
import { entryKeyOf, factsOf } from '../../src/recover/keys.js';
import { salvage } from '../../src/recover/salvage.js';
import { textEnd } from '../../src/recover/text-run.js';

const entry = (prompt: string, answer: string) => ({
  user: {
    additional_context: '',
    env_context: { env_state: { operating_system: 'linux', current_working_directory: '/w', environment_variables: [] } },
    content: { Prompt: { prompt } },
    timestamp: '2025-11-14T09:12:03.481920377+01:00',
    images: null,
  },
  assistant: { Response: { message_id: 'm-1', content: answer } },
  request_metadata: { request_id: 'r-1', message_id: 'm-1', response_size: answer.length, request_start_timestamp_ms: 1763107923702 },
});

const found = (text: string) => salvage(Buffer.from(text)).map(({ kind, value }) => [kind, value] as const);

it('finds entries in the object form and in the pair form, and takes no text for a marker', () => {
  const one = entry('say {"user":{"additional_context":"x"}} \\ "quoted"', 'yes 파일');
  const pair = [one.user, one.assistant];
  expect(found(JSON.stringify([one]))).toEqual([['entry', one]]);
  expect(found(JSON.stringify({ history: [pair, [...pair, one.request_metadata]] }))).toEqual([
    ['entry', pair],
    ['entry', [...pair, one.request_metadata]],
  ]);
});

it('takes the whole parts of an entry that is cut, and the cut text as a fragment', () => {
  const text = JSON.stringify(entry('what is in the cart of the customer?', 'there are three orders in the cart'));
  const cut = found(text.slice(0, text.indexOf(' in the cart"')));
  expect(cut).toEqual([
    ['prompt', 'what is in the cart of the customer?'],
    ['fragment', 'there are three orders'],
  ]);
  const tail = found(text.slice(text.indexOf('customer?')));
  expect(tail.map(([kind]) => kind)).toEqual(['assistant']);
  const front = salvage(Buffer.from(text.slice(text.indexOf('is in the'))));
  expect(front[0]).toMatchObject({ kind: 'fragment', value: 'is in the cart of the customer?', around: { field: 'prompt' } });
});

it('an entry that meets the next one before it ends is cut there, and the next one is whole', () => {
  const text = JSON.stringify(entry('first question of the day', 'a'));
  const second = entry('second question', 'b');
  const all = found(`${text.slice(0, 300)}${JSON.stringify(second)}`);
  expect(all.filter(([kind]) => kind === 'entry')).toEqual([['entry', second]]);
});

it('finds transcript lines, summaries and the id of a conversation', () => {
  const value = {
    conversation_id: '5b0f2f7e',
    history: [],
    transcript: ['> hello\u003e', 'hi\n[Tool uses: none]'],
    latest_summary: ['## SUMMARY', { request_id: null }],
  };
  expect(found(JSON.stringify(value))).toEqual([
    ['head', '5b0f2f7e'],
    ['transcript', '> hello>'],
    ['transcript', 'hi\n[Tool uses: none]'],
    ['summary', '## SUMMARY'],
  ]);
  expect(found('he wrote this","> second prompt","and the answer","> cut of')).toEqual([
    ['transcript', '> second prompt'],
    ['transcript', 'and the answer'],
  ]);
});

it('finds the id of a conversation in the folder of its checkpoints, behind a history whose beginning is gone', () => {
  const id = '5b0f2f7e-6c1d-4a83-9f5e-2d4c8b7a1e90';
  const manager = (path: string) => `cut","checkpoint_manager":${JSON.stringify({ shadow_repo_path: path, tag_index: {} })}}`;
  expect(found(manager(`/home/mira/.aws/amazonq/cli-checkouts/${id}`))).toEqual([['head', id]]);
  expect(found(manager(`C:\\Users\\mira\\cli-checkouts\\${id}`))).toEqual([['head', id]]);
  expect(found(manager('/home/mira/elsewhere'))).toEqual([]);
});

it('reads the header of a cell whose first bytes a free block has overwritten', () => {
  const key = '/home/mira/work';
  const value = '{"conversation_id":"5b0f2f7e-6c1d","next_message":null,"history":[]}';
  const record = Buffer.concat([Buffer.from([4, 13 + 2 * key.length, 0x81, (13 + 2 * value.length) & 0x7f]), Buffer.from(key + value)]);
  const sound = Buffer.concat([Buffer.from([record.length, 1]), record, Buffer.alloc(40)]);
  const at = sound.indexOf(value);
  const size = value.length;
  expect(readDeadHead(sound, 0, at, sound.length, 4096)).toMatchObject({ head: { key, size }, from: at, to: at + size, clipped: false });
  const freed = Buffer.concat([Buffer.from([0, 0, 0, 99]), sound.subarray(3)]);
  expect(readDeadHead(freed, 4, at + 1, freed.length, 4096)).toMatchObject({ head: { key, size }, clipped: false });
});

it('a check counts only where both sides are there, and lowers only what rests on a join', () => {
  const joined = [{ proof: 'freelist-order', at: 5, from: 2, to: 3 }] as const;
  const mixed = checkEntry(factsOf({ ...entry('p', 'answer'), request_metadata: { message_id: 'other' } }));
  expect(gradeEntry(joined, mixed)).toBe('fragment');
  expect(gradeEntry([], mixed)).toBe('complete');
  const bare = checkEntry(factsOf({ ...entry('p', 'answer'), request_metadata: null }));
  expect(bare).toEqual({ hard: [], weak: [] });
  expect(gradeEntry(joined, bare)).toBe('complete');
  expect(gradeEntry([{ proof: 'pointer', at: 1, from: 2, to: 3 }], bare)).toBe('probable');
  expect(gradeEntry([{ proof: 'contested', at: 1, from: 2, to: 3 }], bare)).toBe('fragment');
});

it('keys are message id, request id, calls, bytes, in this order', () => {
  const key = (value: unknown) => entryKeyOf(factsOf(value), 'abc');
  expect(key(entry('p', 'a'))).toBe('m:m-1');
  const unnamed = { ...entry('p', 'a'), assistant: { ToolUse: { content: '', tool_uses: [{ id: 't-1' }] } } };
  expect(key({ ...unnamed, request_metadata: { request_id: 'r-1' } })).toBe('q:r-1');
  expect(key({ ...unnamed, request_metadata: null })).toBe('t:t-1');
  expect(key({ user: {}, assistant: {} })).toBe('h:abc');
});

it('scans strings, values, varints and text as they are stored', () => {
  const text = Buffer.from('{"a":"\\\\","b":["}",{"c":"\\""}]} rest');
  expect(valueEnd(text, 0, text.length)).toBe(text.length - 5);
  expect(valueEnd(text, 0, 12)).toBe(-1);
  expect(stringEnd(text, 5, text.length)).toBe(9);
  expect(unescapeCut('one\\ntwo \\u00')).toBe('one\ntwo ');
  expect(unescapeCut('back\\\\')).toBe('back\\');
  expect(varint(Buffer.from([0x81, 0x00]), 0)).toEqual({ value: 128, next: 2 });
  expect(varint(Buffer.from([0x81]), 0).next).toBe(-1);
  const page = Buffer.concat([Buffer.from('일 한글'), Buffer.from([0x00, 0x41])]);
  expect(textEnd(page, 0, page.length)).toBe(page.length - 2);
  expect(textEnd(Buffer.from([0xbc, 0x41, 0xff, 0x42]), 0, 4)).toBe(2);
});
