import { expect, it } from 'vitest';
import { Given } from '../../src/parsers/kiro-ide/given.js';

it('an entry counts as seen when all of it is the same, whatever others have its kind and id', () => {
  const given = new Given(['user\u0000hello']);
  expect([given.has('user\u0000hello'), given.has('user\u0000bye')]).toEqual([true, false]);
  const call = (path: string) => ({ type: 'toolUse', id: 't1', args: { path } });
  const seen = (entry: unknown, keep = true) => given.hasWhole('bot toolUse ', 't1', entry, keep);
  expect([seen(call('a')), seen(call('a')), seen(call('b')), seen(call('b')), seen(call('a'))]).toEqual([false, true, false, true, true]);
  expect([seen(call('c'), false), seen(call('c'), false)]).toEqual([false, false]);
  expect(given.hasWhole('human toolUse ', 't1', call('a'), true)).toBe(false);
});
