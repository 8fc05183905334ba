import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/rows/draft.js';
import { conversationArbitrary } from './arbitrary.js';
import { CONVERSATIONS, fixture } from './files.js';
import {
  bytesOf,
  call,
  conversation,
  draftsInShares,
  draftsOf,
  draftsPiecewise,
  entry,
  prompt,
  result,
  results,
  rowsOf,
  said,
} from './support.js';

const pointers = (drafts: readonly Draft[], type: Draft['row_type']) =>
  drafts.filter((draft) => draft.row_type === type).map((draft) => draft.source_pointer);

describe('both ways of reading', () => {
  it.each(CONVERSATIONS)('give the same rows: %s', (path) => {
    const bytes = fixture(path);
    const whole = draftsOf(bytes);
    expect(draftsPiecewise(bytes)).toEqual(whole);
    for (const count of [2, 3, 7]) expect(draftsInShares(bytes, count)).toEqual(whole);
    expect(rowsOf(whole)).toHaveLength(whole.length);
  });

  it('give the same rows for any conversation', () => {
    fc.assert(
      fc.property(conversationArbitrary, (value) => {
        const bytes = bytesOf(value);
        const whole = draftsOf(bytes);
        expect(draftsPiecewise(bytes)).toEqual(whole);
        rowsOf(whole);
      }),
      { numRuns: 150 },
    );
  });

  it('in shares give the rows of the whole, for any conversation', () => {
    fc.assert(
      fc.property(conversationArbitrary, fc.integer({ min: 1, max: 5 }), (value, count) => {
        const bytes = bytesOf(value);
        expect(draftsInShares(bytes, count)).toEqual(draftsPiecewise(bytes));
      }),
      { numRuns: 150 },
    );
  });

  it('take a timestamp in a result for what it is: not the time of the message', () => {
    const undated = [entry(0, prompt('a'), { calls: [call('t1', 'x')] }), entry(1, results(result('t1', 'b')))].map(
      ({ user, assistant }) => [{ ...user, timestamp: undefined }, assistant],
    );
    const late = { tool_use_id: 't1', content: [{ Json: { timestamp: '2025-11-14T09:00:00Z' } }], status: 'Success' };
    const stop = [{ content: { CancelledToolUses: { prompt: 'stop', tool_use_results: [late] } } }, { Response: { content: 'ok' } }];
    const bytes = bytesOf(conversation([...undated, stop]));
    const texts = (drafts: readonly Draft[]) => drafts.filter((draft) => draft.row_type === 'permission').map((draft) => draft.text);
    expect(texts(draftsOf(bytes))).toEqual(['permission decision: abandoned by=user-text-or-repair execution=unknown']);
    expect(draftsPiecewise(bytes)).toEqual(draftsOf(bytes));
  });
});

describe('a value that is cut', () => {
  const value = conversation(
    [entry(0, prompt('a "quoted" \\ prompt')), entry(1, prompt('한국어')), entry(2, prompt('c'))],
    ['> a', said('answer 0'), said('answer 1'), '> c', said('answer 2')],
  );
  const bytes = bytesOf(value);
  const whole = draftsOf(bytes);
  // Where each entry ends: behind it all of it must come out.
  const ends = value.history.map((_, i) => {
    const next = value.history[i + 1];
    return next === undefined ? bytes.indexOf('],"valid_history_range"') : bytes.indexOf(JSON.stringify(next)) - 1;
  });

  it('gives every whole entry, and one error row with the place where it ends', () => {
    const around = ends.flatMap((at) => [at - 1, at, at + 1]);
    const places = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1).filter((end) => end % 5 === 1 || around.includes(end));
    for (const end of places) {
      const drafts = draftsOf(bytes.subarray(0, end));
      const complete = ends.filter((at) => end >= at).length;
      expect(
        pointers(drafts, 'prompt').filter((at) => at?.startsWith('/history/')),
        `cut at ${end}`,
      ).toHaveLength(complete);
      const damage = drafts.filter((draft) => draft.text.startsWith('parser: conversation value is damaged'));
      expect(damage, `cut at ${end}`).toHaveLength(1);
      expect(damage[0]?.source_offset, `cut at ${end}`).toBeGreaterThan(0);
      expect(damage[0]?.source_offset, `cut at ${end}`).toBeLessThanOrEqual(end);
      rowsOf(drafts);
    }
  });

  it('gives the same rows both ways', () => {
    for (let end = 1; end < bytes.length; end += 23) {
      const cut = bytes.subarray(0, end);
      // How the cause is worded may differ, and a character cut in two shows only where all bytes are looked at.
      const told = (drafts: readonly Draft[]) =>
        drafts.filter(({ text }) => !/^parser: (conversation value is damaged|value holds)/.test(text));
      expect(told(draftsPiecewise(cut)), `cut at ${end}`).toEqual(told(draftsOf(cut)));
    }
  });

  it('names the entry that was cut', () => {
    const drafts = draftsOf(bytes.subarray(0, (ends[1] ?? 0) - 1));
    const cut = drafts.find((draft) => draft.source_pointer === '/history/1');
    expect(cut?.text).toBe(`parser: history entry could not be read (cut off at offset ${(ends[1] ?? 0) - 1})`);
  });

  it('has no error row when it is whole', () => {
    expect(pointers(whole, 'error')).toEqual([]);
  });

  it('a hole in the middle costs its entry, and is named', () => {
    const torn = Buffer.from(bytes);
    const at = torn.indexOf('한국어');
    torn.fill(0, at, at + 6);
    const drafts = draftsOf(torn);
    expect(pointers(drafts, 'prompt').filter((pointer) => pointer?.startsWith('/history'))).toEqual([
      '/history/0/user/content/Prompt/prompt',
      '/history/2/user/content/Prompt/prompt',
    ]);
    expect(pointers(drafts, 'error')).toContain('/history/1');
  });

  it('bytes behind the value are named', () => {
    const drafts = draftsOf(Buffer.concat([bytes, Buffer.from('{"more":1}')]));
    expect(pointers(drafts, 'prompt').filter((at) => at?.startsWith('/history/'))).toHaveLength(3);
    expect(drafts.find((draft) => draft.row_type === 'error')?.source_offset).toBe(bytes.length);
  });
});

describe('bytes that are not UTF-8', () => {
  const NOT_UTF8 = 'parser: value holds bytes that are not valid UTF-8; they are shown as U+FFFD';
  const faults = (drafts: readonly Draft[]) => drafts.filter((draft) => draft.text === NOT_UTF8);
  const damaged = (at: (bytes: Buffer) => number) => {
    const bytes = bytesOf(conversation([entry(0, prompt('first XX')), entry(1, prompt('second YY'))], ['> ZZ']));
    bytes[at(bytes)] = 0xff;
    return bytes;
  };

  it('are told once, with the place of the first', () => {
    for (const mark of ['XX', 'YY', 'ZZ']) {
      const bytes = damaged((held) => held.indexOf(mark));
      const found = faults(draftsOf(bytes));
      expect(found.map((draft) => draft.source_offset)).toEqual([bytes.indexOf(0xff)]);
      expect(faults(draftsPiecewise(bytes))).toHaveLength(1);
      expect(JSON.stringify(draftsOf(bytes))).toContain('\ufffd');
    }
  });

  it('are told once also when the value is cut', () => {
    expect(faults(draftsOf(damaged((held) => held.indexOf('XX')).subarray(0, -20)))).toHaveLength(1);
  });

  it('are told with each entry that is read piece by piece, and each is told by one share', () => {
    const bytes = bytesOf(conversation([0, 1, 2, 3].map((n) => entry(n, prompt(`XX ${n}`)))));
    for (let at = bytes.indexOf('XX'); at >= 0; at = bytes.indexOf('XX', at)) bytes[at] = 0xff;
    const whole = draftsPiecewise(bytes);
    expect(
      faults(whole)
        .map((draft) => draft.source_pointer)
        .sort(),
    ).toEqual(['/history/0', '/history/1', '/history/2', '/history/3']);
    for (const count of [2, 3, 5]) expect(draftsInShares(bytes, count)).toEqual(whole);
  });

  it('any first bad byte is found', () => {
    const parts = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string()), { maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.uint8Array({ min: 0x80, maxLength: 6, minLength: 1 }), parts, (before, bad, after) => {
        const bytes = Buffer.concat([Buffer.from(`{"conversation_id":"${'x'.repeat(before.length)}`), Buffer.from(before.join(''))]);
        const all = Buffer.concat([bytes, Buffer.from(bad), Buffer.from(after.join(''))]);
        const expected = firstBadByte(all);
        expect(faults(draftsOf(all)).map((draft) => draft.source_offset)).toEqual(expected < 0 ? [] : [expected]);
      }),
      { numRuns: 150 },
    );
  });

  /** Plain search: the longest beginning that decodes. */
  function firstBadByte(bytes: Buffer): number {
    const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const decodes = (end: number) => {
      try {
        strict.decode(bytes.subarray(0, end));
        return true;
      } catch {
        return false;
      }
    };
    if (decodes(bytes.length)) return -1;
    for (let end = bytes.length; end >= 0; end--) if (decodes(end)) return end;
    return 0;
  }
});

describe('any JSON value', () => {
  it('never throws, and every row is valid', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = bytesOf(value);
        expect(rowsOf(draftsOf(bytes)).length).toBeGreaterThan(0);
        expect(draftsPiecewise(bytes)).toEqual(draftsOf(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it('in the place of any member', () => {
    const members = fc.constantFrom(...Object.keys(conversation([])), 'tangent_state', 'checkpoint_manager', 'model');
    fc.assert(
      fc.property(members, fc.jsonValue({ maxDepth: 4 }), (key, value) => {
        const bytes = bytesOf({ ...conversation([entry(0, prompt('a'))], ['> a']), [key]: value });
        rowsOf(draftsOf(bytes));
        expect(draftsPiecewise(bytes)).toEqual(draftsOf(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it('nested without end is cut, and the rest comes out', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    for (const place of ['"context_message_length":null', '"images":null', '"args":{}']) {
      const text = JSON.stringify(conversation([entry(0, prompt('a'), { calls: [call('t1', 'x')] }), entry(1, prompt('b'))]));
      const bytes = Buffer.from(text.replace(place, `${place.split(':')[0]}:${deep}`));
      for (const drafts of [draftsOf(bytes), draftsPiecewise(bytes)]) {
        expect(pointers(drafts, 'prompt')).toHaveLength(2);
        expect(drafts.filter((draft) => draft.text.includes('nested too deeply are left out'))).toHaveLength(1);
        expect(() => JSON.stringify(drafts)).not.toThrow();
      }
    }
  });

  it.each(['', ' ', '[]', '7', '"x"', 'null', 'nonsense', '{', '{"conversation_id":"x"}'])(
    '%j tells that it is no conversation',
    (text) => {
      const drafts = draftsOf(Buffer.from(text));
      expect(pointers(drafts, 'error').length).toBeGreaterThan(0);
      rowsOf(drafts);
    },
  );
});
