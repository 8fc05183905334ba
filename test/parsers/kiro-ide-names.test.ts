import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idePlace } from '../../src/parsers/kiro-ide/place.js';
import {
  CATALOGUE,
  decodeWorkspace,
  encodeWorkspace,
  folderProblem,
  hash32,
  idProblem,
  SAVES,
  WorkspaceFinder,
} from '../../src/parsers/kiro-ide/workspace.js';

// Pairs seen on real machines, each recomputed by hand.
it.each([
  ['L1VzZXJzL2FuZ21hcy9Qcm9qZWN0cy9mb28_', '/Users/angmas/Projects/foo'],
  ['Yzpcc3Jj', 'c:\\src'],
  ['L2hvbWUvYWxpY2UvcHJvag__', '/home/alice/proj'],
  ['L1VzZXJzL25vb3Ivemlw', '/Users/noor/zip'],
])('%s is %s', (name, path) => {
  expect(decodeWorkspace(name)).toBe(path);
  expect(encodeWorkspace(path)).toBe(name);
});

it('reads every path back but those whose last digit looks like padding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (tail) => {
      const path = `/home/${tail}`;
      fc.pre(!/[\u0000-\u001f\u007f\ufffd]/.test(path) && path.isWellFormed());
      const read = decodeWorkspace(encodeWorkspace(path));
      expect([path, path.slice(0, -1), path.slice(0, -2)]).toContain(read);
      if (!path.endsWith('?')) expect(read).toBe(path);
    }),
  );
});

it('reads names of Korean and Chinese paths, in either alphabet', () => {
  const path = '/Users/지민/项目~>';
  expect(decodeWorkspace(encodeWorkspace(path))).toBe(path);
  expect(decodeWorkspace(encodeWorkspace(path).replaceAll('-', '+'))).toBe(path);
});

it.each(['', '.DS_Store', 'not base64!', 'abc', '____', '/etc', 'gICA', 'AAAA'])('says that %j is no encoded path', (name) => {
  expect(decodeWorkspace(name)).toBeUndefined();
  if (name !== '') expect(folderProblem(name, '')).toContain('not an encoded path');
});

it('computes the names of the program', () => {
  expect(SAVES).toBe('414d1636299d2b9e4ce7e17fb11f63e9');
  expect(CATALOGUE).toBe('f62de366d0006e17ea00a01f6624aabf');
  expect(hash32('d:\\Projects\\DotNet\\CsCodeMap')).toBe('16277c8d93232c28e753d255666b7b69');
  expect(hash32('ex-0001')).toBe('742e579cde6b2caeab722c1f55e9df35');
});

it('finds the workspace among the folders above a path, in either form of a drive', () => {
  const finder = new WorkspaceFinder(hash32('c:\\work\\shop'));
  for (const path of ['/tmp/x', 'C:/work/shop/src/a.ts']) finder.offer(path);
  expect(finder.found).toBe('c:\\work\\shop');
  expect(finder.open).toBe(false);
  expect(idProblem(hash32('c:\\work\\shop'), 'C:\\work\\shop')).toBe('');
  expect(idProblem(createHash('md5').update('x').digest('hex'), '/work')).toContain('does not match');
});

it('tells workspace and session folder from the path', () => {
  expect(idePlace('h/kiro.kiroagent/workspace-sessions/Yzpcc3Jj/x.json')).toEqual({
    workspaceId: '',
    encoded: 'Yzpcc3Jj',
    inStore: true,
    name: 'x.json',
  });
  expect(idePlace(`KIRO.kiroagent/${SAVES.replace('4', '5')}/${SAVES}/f`)).toMatchObject({
    workspaceId: SAVES.replace('4', '5'),
    inStore: true,
  });
  expect(idePlace('x.json')).toEqual({ workspaceId: '', encoded: '', inStore: false, name: 'x.json' });
});
