import { describe, expect, it } from 'vitest';
import { INCIDENTS } from '../../bench/findings-incidents.js';
import { builtIn, found } from './rules-support.js';

const levels = new Map(builtIn.rules.map(({ id, level }) => [id, level]));

describe('rows in the shape of published incidents', () => {
  it.each(INCIDENTS.map((incident) => [incident.name, incident] as const))('%s', (_, { rows, rules }) => {
    const heard = found(rows);
    expect(heard.filter((rule) => rules.includes(rule))).not.toEqual([]);
  });

  it('most of them at medium or above', () => {
    const loud = INCIDENTS.filter(({ rows }) =>
      found(rows).some((rule) => ['critical', 'high', 'medium'].includes(levels.get(rule) ?? '')),
    );
    expect(loud.length / INCIDENTS.length).toBeGreaterThanOrEqual(0.85);
  });
});
