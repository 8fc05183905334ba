import { isObject, type JsonObject } from '../../evidence/json.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import { named } from '../kiro-v2/fields.js';
import { membersOf, type Sidecar } from './members.js';
import { type Evidence, type Proof, proofOf } from './proof.js';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Rows of evidence.json: the verdict, and for each check what is claimed and what the command log proves about it. */
export function* evidenceRows(sidecar: Sidecar, evidence: Evidence): Generator<Draft> {
  const { record, slug, time } = sidecar;
  const { objects, others } = membersOf(record.checks, '/checks');
  const rows: Draft[] = [];
  const contradicted: string[] = [];
  for (const { value, pointer } of objects) {
    const label = `check=${text(value.id)}`;
    const proof = proofOf({ status: text(value.status), command: text(value.command), pointer, label }, evidence);
    if (proof?.contradiction) contradicted.push(text(value.id) || pointer);
    const shown = pairs({ kind: value.kind, status: value.status, command: value.command });
    rows.push(...claimRows(`claim: ${label}${shown}: ${text(value.summary)}`, value, pointer, proof ? [proof] : [], sidecar));
  }
  const { checks: _, ...rest } = record;
  yield {
    row_type: 'session',
    text: `claim: evidence${pairs({ verdict: record.verdict, checks: objects.length, slug })}`,
    time,
    origin: 'agent',
    problem:
      record.verdict === 'pass' && contradicted.length > 0
        ? `contradiction: the verdict is pass, but the command log contradicts ${contradicted.join(', ')}`
        : '',
    details: { slug, claimed: text(record.verdict), ...named('record', { ...rest, checks: others }) },
  };
  yield* rows;
}

/** Rows of acceptance.json: criteria, each with the commands it refers to, and the fit of the whole. */
export function* acceptanceRows(sidecar: Sidecar, evidence: Evidence): Generator<Draft> {
  const { record, slug, time } = sidecar;
  const { criteria, goal_fit, ...rest } = record;
  const { objects, others } = membersOf(criteria, '/criteria');
  const fit: JsonObject = isObject(goal_fit) ? goal_fit : {};
  const shown = pairs({ goal_fit: fit.status, criteria: objects.length, slug });
  yield {
    row_type: 'session',
    text: `claim: acceptance${shown}: ${text(fit.summary)}`,
    time,
    origin: 'agent',
    details: { slug, claimed: text(fit.status), ...named('record', { ...rest, goal_fit, criteria: others }) },
  };
  for (const { value, pointer } of objects) {
    const label = `criterion=${text(value.id)}`;
    const commands = membersOf(value.evidence_refs, `${pointer}/evidence_refs`).objects.filter(({ value: ref }) => ref.kind === 'command');
    const proofs = commands.flatMap(({ value: ref, pointer: at }) => {
      const proof = proofOf({ status: text(value.status), command: text(ref.excerpt), pointer: at, label }, evidence);
      return proof ? [proof] : [];
    });
    yield* claimRows(`claim: ${label}${pairs({ status: value.status })}: ${text(value.description)}`, value, pointer, proofs, sidecar);
  }
}

/** The claim, then what the log proves of it. Status and outcome of a claim stay empty: those columns hold what was observed. */
function* claimRows(
  shown: string,
  value: JsonObject,
  pointer: string,
  proofs: readonly Proof[],
  { slug, time }: Sidecar,
): Generator<Draft> {
  yield {
    row_type: 'session',
    text: shown,
    time,
    origin: 'agent',
    command: text(value.command),
    source_pointer: pointer,
    problem: problems(...proofs.map((proof) => proof.contradiction)),
    details: { slug, claimed: text(value.status), ...named('record', value) },
  };
  for (const { row } of proofs) yield row;
}
