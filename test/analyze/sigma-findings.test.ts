import { describe, expect, it } from 'vitest';
import { analyzeRows, loadAllRules } from '../../src/analyze/index.js';
import { catalog } from './rules-support.js';
import { view } from './sigma-rows.js';

const FILE = `
title: Log Emptied
id: 22222222-0000-4000-8000-000000000002
description: A log was emptied.
author: Ada Example
license: DRL-1.1
tags: [attack.t1070.002]
logsource: {product: linux, category: process_creation}
detection:
  selection:
    CommandLine|contains: ' > /srv/logs/'
  condition: selection
falsepositives: [Rotation]
level: high
---
title: Asks For What Is Not There
logsource: {product: windows, category: process_creation}
detection:
  selection:
    IntegrityLevel: High
  condition: selection
level: low
---
title: Counts
correlation: {type: event_count}
`;

describe('Sigma rules of a file of rules', () => {
  const { rules, refused } = loadAllRules(catalog, [{ file: 'own.yml', text: FILE }]);

  it('are told apart from those that cannot be used, with line and reason', () => {
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('the field `IntegrityLevel` is not in a timeline'),
      'a correlation of several events',
    ]);
    expect(refused.map(({ id }) => id)).toEqual(['own.yml:16', 'own.yml:24']);
  });

  it('give findings that name their author and origin', async () => {
    const { row } = view({ line: 'true && echo "" > /srv/logs/app' });
    async function* rows() {
      yield [row];
    }
    const facts = { mtimes: new Map<string, string>(), collectedAt: '' };
    const { findings } = await analyzeRows({ rows, surveyed: rows, rules, suppressions: [], facts, toolVersion: '' });
    expect(findings.filter(({ rule }) => rule.startsWith('sigma.'))).toEqual([
      expect.objectContaining({
        rule: 'sigma.22222222-0000-4000-8000-000000000002',
        level: 'high',
        title: 'Log Emptied',
        means: 'A log was emptied. Its tag T1070.002 is retired; T1685.006 took its place.',
        otherwise: ['Rotation'],
        attack: ['T1685.006'],
        row_ids: [row.row_id],
        rule_author: 'Ada Example',
        rule_source: 'Sigma rule 22222222-0000-4000-8000-000000000002 (DRL-1.1)',
      }),
    ]);
  });
});
