import { describe, expect, it } from 'vitest';
import { PARSERS } from '../../src/parsers/index.js';
import type { FileParser } from '../../src/parsers/parser.js';
import { draftsOf } from '../support/memory-source.js';

// Texts on which a careless expression or loop takes time with the square of the length. A guard against a hang, far above what is
// needed: a loaded machine must not fail it.
const MOST_MS = 6_000;
const SIZE = 150_000;
/** Each line may be a row of its own. */
const SIZE_OF_LINES = 15_000;

const PIECES = [
  ...[
    ' ',
    '\t',
    '\\',
    '"',
    '[',
    '{',
    '{"a":',
    '[{"a":[',
    '- ',
    '? ',
    '#',
    '# ',
    '> ',
    '`',
    '```\n',
    '---\n',
    '<',
    '<!--',
    '"""',
    "''",
    '\r',
    '\u2028',
  ],
  ...[
    'a:',
    'a: ',
    '{}',
    '{}{',
    '\\"',
    '\\u',
    '0',
    '1.',
    '2025-01-01T',
    '2025-01-01T00:00:00Z ',
    '&a *a ',
    '!!x ',
    '%',
    'exit status: ',
    '=\\',
    '\ufeff',
  ],
] as const;

const FILES = PARSERS.filter((parser): parser is FileParser => parser.container === 'file');

describe.each(FILES.map((parser) => [parser.id, parser] as const))('%s', (_, parser) => {
  it('reads long repetitions in bounded time', () => {
    for (const piece of PIECES) {
      const long = piece.repeat((piece.includes('\n') ? SIZE_OF_LINES : SIZE) / piece.length);
      for (const text of [long, JSON.stringify({ name: long, content: [long.slice(0, SIZE / 2)] })]) {
        const began = performance.now();
        draftsOf(parser, text);
        expect({ piece, slow: performance.now() - began > MOST_MS }).toEqual({ piece, slow: false });
      }
    }
  });
});
