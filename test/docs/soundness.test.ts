import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const rows = [...readFileSync('docs/soundness.md', 'utf8').matchAll(/^\| [^|]+ \| `(test\/[^`]+)` \| ([^|]+) \|$/gm)];

describe('each promise of the documents', () => {
  it('is in the table', () => expect(rows.length).toBeGreaterThan(20));

  it.each(rows.map(([, file = '', name = '']) => [file, name]))('is shown by a test: %s, %s', (file, name) => {
    expect(existsSync(file)).toBe(true);
    const names = [...readFileSync(file, 'utf8').matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1/g)].map(([, , text = '']) => text);
    expect(names).toContainEqual(expect.stringContaining(name));
  });
});
