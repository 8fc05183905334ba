import type { Draft } from '../../rows/draft.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs, problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import { membersOf, type Sidecar } from './members.js';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Rows of critique.json: the state of the review, each review, each finding. */
export function* critiqueRows({ record, slug, time }: Sidecar): Generator<Draft> {
  const { critiques, ...rest } = record;
  const { objects, others } = membersOf(critiques, '/critiques');
  yield {
    row_type: 'session',
    text: `critique:${pairs({ status: record.status, reviews: objects.length, slug })}`,
    time,
    origin: 'agent',
    details: { slug, ...named('record', { ...rest, critiques: others }) },
  };
  for (const { value, pointer } of objects) {
    const { findings, ...review } = value;
    const reviewed = typeof value.reviewed_at === 'string' ? fromRfc3339(value.reviewed_at, 'record') : undefined;
    const found = membersOf(findings, `${pointer}/findings`);
    const shown = pairs({ reviewer: value.reviewer, verdict: value.verdict, findings: found.objects.length });
    yield {
      row_type: 'session',
      text: `critique: review${shown}: ${text(value.summary)}`,
      time: reviewed,
      // The state of the review is later than the reviews in it.
      newRun: true,
      origin: 'agent',
      source_pointer: pointer,
      problem: problems(!reviewed && 'when the review was made is not recorded'),
      details: { slug, ...named('record', { ...review, findings: found.others }) },
    };
    for (const finding of found.objects) {
      const { severity, status, description } = finding.value;
      yield {
        row_type: 'session',
        text: `critique: finding${pairs({ id: finding.value.id, severity, status })}: ${text(description)}`,
        time: reviewed,
        origin: 'agent',
        source_pointer: finding.pointer,
        details: { slug, reviewer: text(value.reviewer), ...named('record', finding.value) },
      };
    }
  }
}
