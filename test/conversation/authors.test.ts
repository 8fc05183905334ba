import { describe, expect, it } from 'vitest';
import { invisibleCount, visibleText } from '../../src/parsers/conversation/origin.js';
import { call, entry, pick, prompt, result, results, rows, said } from './support.js';

const undated = { user: { timestamp: null } };
const authors = (list: ReturnType<typeof rows>) => pick(list, 'prompt', 'text', 'origin');

describe('who wrote a prompt', () => {
  it.each([
    ['In a few words, summarize our conversation so far.', 'automatic prompt of a resumed session'],
    ['You took too long to respond - try to split up the work into smaller steps.', 'automatic retry after a timeout'],
    ['[SYSTEM NOTE: This is an automated request] resume the list', 'automatic prompt of /todos resume'],
    ['Summarize what happened in this task execution in 2-3 sentences. Output: ok', 'summary request of a delegated task'],
    ['Empty prompt', 'written for empty input'],
    ['The conversation history has overflowed, clearing state', 'written when the history overflowed'],
  ])('%s', (text, note) => {
    const list = rows([entry(0, prompt('hello')), entry(1, prompt(text))]);
    expect(authors(list)).toEqual([
      ['hello', 'unknown'],
      [text, 'automatic'],
    ]);
    expect(list.find((row) => row.text === text)?.details.note).toBe(note);
  });

  it('a fixed text stays automatic when it has no time and when someone typed it', () => {
    const text = 'The conversation history has overflowed, clearing state';
    expect(authors(rows([entry(0, prompt('hello')), entry(1, prompt(text), {}, undated)]))[1]).toEqual([text, 'automatic']);
    expect(authors(rows([entry(0, prompt(text))], [`> ${text}`, said('answer 0')]))).toEqual([[text, 'automatic']]);
  });

  it('typed only where the transcript has the line', () => {
    const history = [entry(0, prompt('from an argument')), entry(1, prompt('typed in'))];
    expect(authors(rows(history, [said('answer 0'), '> typed in', said('answer 1')]))).toEqual([
      ['from an argument', 'unknown'],
      ['typed in', 'typed'],
    ]);
  });

  it('a line that was typed elsewhere in the conversation proves nothing', () => {
    const list = rows([entry(0, prompt('a')), entry(1, prompt('b'))], ['> b', said('answer 0'), said('answer 1')]);
    expect(authors(list)).toEqual([
      ['b', 'typed'],
      ['a', 'unknown'],
      ['b', 'unknown'],
    ]);
  });

  it('an example pair of an MCP or file prompt: neither side was typed or answered', () => {
    const pair = { ...entry(1, prompt('You are a reviewer.'), {}, { ...undated, metadata: null }) };
    pair.assistant = { Response: { message_id: null, content: 'Understood.' } };
    const list = rows([entry(0, prompt('hello')), pair]);
    expect(authors(list)[1]).toEqual(['You are a reviewer.', 'injected']);
    expect(list.find((row) => row.text === 'You are a reviewer.')?.details.note).toBe('example pair of an MCP or file prompt');
    expect(pick(list, 'assistant', 'text', 'origin', 'model')[1]).toEqual(['Understood.', 'injected', '']);
  });

  it('in a conversation without any times a missing time says nothing', () => {
    const pairs = [entry(0, prompt('hello')), entry(1, prompt('again'))].map(({ user, assistant }) => [
      { ...user, timestamp: undefined },
      assistant,
    ]);
    expect(authors(rows(pairs))).toEqual([
      ['hello', 'unknown'],
      ['again', 'unknown'],
    ]);
  });
});

describe('tool output turned into a prompt', () => {
  const note = 'tool output that the program turned into a prompt; its call is no longer in the history';
  const outputs = (list: ReturnType<typeof rows>) => pick(list, 'tool_result', 'text', 'status', 'outcome', 'problem', 'tool_use_id');

  it('at the beginning of the history', () => {
    const list = rows([entry(0, prompt('total 8'), {}, undated), entry(1, prompt('thanks'))]);
    expect(outputs(list)).toEqual([['total 8', 'unknown', 'ambiguous', note, '']]);
    expect(authors(list)).toEqual([['thanks', 'unknown']]);
  });

  it('behind an answer without calls', () => {
    const list = rows([entry(0, prompt('hello')), entry(1, prompt('<tool result redacted>'), {}, undated)]);
    expect(outputs(list)).toEqual([['<tool result redacted>', 'unknown', 'ambiguous', note, '']]);
  });

  it('not behind an answer with calls, and not when the line was typed', () => {
    const calls = [call('t1', 'fs_read')];
    const list = rows([entry(0, prompt('hello'), { calls }), entry(1, prompt('well?'), {}, undated)]);
    expect(outputs(list)).toEqual([]);
    expect(authors(list)[1]).toEqual(['well?', 'unknown']);
    const typed = rows([entry(0, prompt('hi'), {}, undated), entry(1, prompt('b'))], ['> hi', said('answer 0'), '> b', said('answer 1')]);
    expect(authors(typed)[0]).toEqual(['hi', 'typed']);
  });
});

describe('who wrote an answer', () => {
  it('the program, after a timeout', () => {
    const timeout = entry(0, prompt('write a book'), {}, { metadata: null });
    timeout.assistant = { Response: { message_id: null, content: 'Response timed out - message took too long to generate' } };
    const list = rows([timeout, entry(1, prompt('You took too long to respond - try to split up the work into smaller steps.'))]);
    expect(pick(list, 'assistant', 'text', 'origin')).toEqual([
      ['Response timed out - message took too long to generate', 'automatic'],
      ['answer 1', 'agent'],
    ]);
  });

  it('the model, also without an id, before requests were recorded', () => {
    const pair = [{ ...entry(0, prompt('hi')).user, timestamp: undefined }, { Response: { message_id: null, content: 'yo' } }];
    expect(pick(rows([pair]), 'assistant', 'text', 'origin')).toEqual([['yo', 'agent']]);
  });
});

describe('hidden characters', () => {
  const tags = '\u{e0068}\u{e0069}';

  it('of a prompt: the line typed is kept beside the cleaned prompt', () => {
    const line = `see SHOP\u200b-7${tags}`;
    const list = rows([entry(0, prompt('see SHOP-7'))], [`> ${line}`, said('answer 0')]);
    expect(authors(list)).toEqual([['see SHOP-7', 'typed']]);
    expect(pick(list, 'prompt', 'problem')).toEqual([['the line typed holds 3 invisible characters that the stored prompt lacks']]);
    expect(list.find((row) => row.row_type === 'prompt')?.details.typed_line).toBe(line);
  });

  it('of a refusal', () => {
    const calls = [call('t1', 'fs_read')];
    const refusal = { CancelledToolUses: { prompt: 'no', tool_use_results: [result('t1', 'x', 'Error')] } };
    const list = rows(
      [entry(0, prompt('hello'), { calls }), entry(1, refusal)],
      ['> hello', said('', 'fs_read'), `> n\u00ado`, said('answer 1')],
    );
    expect(pick(list, 'prompt', 'text', 'origin', 'problem')[1]).toEqual([
      'no',
      'typed',
      'the line typed holds 1 invisible characters that the stored prompt lacks',
    ]);
  });

  it('are counted by code point, and visible text stays', () => {
    expect(invisibleCount(`a\ufeffb${tags}\u2066`)).toBe(4);
    expect(visibleText(`a\ufeffb${tags} 한\u200d국 é`)).toBe('ab 한국 é');
    expect(invisibleCount('plain text 한국')).toBe(0);
  });
});

it('results of a call are not a prompt, whatever the transcript says', () => {
  const calls = [call('t1', 'fs_read')];
  const list = rows(
    [entry(0, prompt('hello'), { calls }), entry(1, results(result('t1', 'text')))],
    ['> hello', said('', 'fs_read'), '> text', said('answer 1')],
  );
  expect(pick(list, 'prompt', 'text', 'recovered')).toEqual([
    ['hello', ''],
    ['text', 'transcript'],
  ]);
});
