import { expect, it } from 'vitest';
import { ADVERSARIAL } from '../../bench/secrets-adversarial.js';
import { scanner } from './support.js';

// A guard against a hang, far above the goal that the bench measures: a loaded machine must not fail it.
const MOST_MS = 8000;

it.each(ADVERSARIAL)('$name ends in bounded time', ({ text }) => {
  const began = performance.now();
  scanner.scanText(text);
  expect(performance.now() - began).toBeLessThan(MOST_MS);
});
