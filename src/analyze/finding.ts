import { z } from 'zod';
import { type Hit, LEVELS, type Level } from './hits.js';
import { findingId } from './suppress.js';

export const FINDING_SCHEMA = 'kirotrail-finding/1';

const count = z.int();
const texts = z.array(z.string());

/** One finding: what rows show, never a judgement of a person. Keys are always present, in this order. */
export const FindingSchema = z.strictObject({
  finding_id: z.string().describe('16 hex digits over rule and scope; the same in every run, also with more evidence'),
  rule: z.string().describe('id of the rule'),
  rule_version: count.describe('raised with each change of its condition'),
  level: z.enum(LEVELS).describe('critical, high, medium, low, info'),
  level_reason: z.string().describe('why the level is not that of the rule; else empty'),
  title: z.string().describe('what the rows show'),
  statement: z.string().describe('count, session, time span, title, and how the calls ended'),
  means: z.string().describe('what it means, and what it cannot say'),
  otherwise: texts.describe('what else explains it'),
  attack: texts.describe('MITRE ATT&CK v19'),
  atlas: texts.describe('MITRE ATLAS'),
  agent: z.string().describe('of the first row, as are host, user and project'),
  host: z.string(),
  user: z.string(),
  session_id: z.string().describe('empty for a finding about a file or a secret'),
  project_path: z.string(),
  first_utc: z.string().describe('of the matched rows'),
  last_utc: z.string().describe('of the matched rows'),
  count: count.describe('matched rows, without copies'),
  row_ids: texts.describe('the rows, in the order of the timeline'),
  also_row_ids: texts.describe('rows that say the same (`duplicate_of`)'),
  child_findings: texts.describe('findings of the same rule in sessions that this one started'),
  ran: z
    .strictObject({ completed: count, failed: count, canceled: count, unknown: count })
    .describe('how the calls ended; unknown: no result on record, which is not "did not run"'),
  allowed: z
    .strictObject({ approved: count, denied: count, standing: count, unasked: count, unknown: count })
    .describe('who allowed the calls; unasked: the store records approvals and none is there'),
  excerpts: texts.describe('up to three matched commands or texts, masked and escaped, 200 characters each'),
  recovered: z.string().describe('where the rows came from when every one is recovered; else empty'),
  confidence: z.string().describe('the lowest of these recovered rows'),
  source_files: texts.describe('files that hold the rows'),
  suppressed_by: texts.describe('entries of the suppression file that speak of every row; else empty'),
  problem: z.string().describe('what was not understood of the matched commands; else empty'),
  rule_author: z.string().describe('of a Sigma rule'),
  rule_source: z.string().describe('of a Sigma rule'),
  schema: z.literal(FINDING_SCHEMA),
  tool_version: z.string(),
});

export type Finding = z.infer<typeof FindingSchema>;

const CONFIDENCE = ['fragment', 'partial', 'probable', 'complete', ''] as const;

/** Findings in their order: level, first time (undated last), rule, scope. `parents` gives the parent of a session. */
export function findingsOf(hits: readonly Hit[], parents: ReadonlyMap<string, string>, toolVersion: string): Finding[] {
  const ordered = [...hits].filter((hit) => hit.rows.size > 0).sort(before);
  const findings = ordered.map((hit) => findingOf(hit, toolVersion));
  const byRuleAndSession = new Map(findings.map((finding) => [`${finding.rule}\u0000${finding.session_id}`, finding]));
  for (const finding of findings) {
    const parent = parents.get(finding.session_id);
    if (parent === undefined || finding.session_id === '') continue;
    byRuleAndSession.get(`${finding.rule}\u0000${parent}`)?.child_findings.push(finding.finding_id);
  }
  return findings;
}

function before(a: Hit, b: Hit): number {
  const level = LEVELS.indexOf(levelOf(a)) - LEVELS.indexOf(levelOf(b));
  if (level !== 0) return level;
  if (a.first !== b.first) return a.first === '' ? 1 : b.first === '' ? -1 : a.first < b.first ? -1 : 1;
  if (a.rule.id !== b.rule.id) return a.rule.id < b.rule.id ? -1 : 1;
  return a.scope.key < b.scope.key ? -1 : a.scope.key > b.scope.key ? 1 : 0;
}

/** One step down when no matched call ran; never up. */
function levelOf(hit: Hit): Level {
  return attemptedOnly(hit) ? (LEVELS[Math.min(LEVELS.indexOf(hit.rule.level) + 1, LEVELS.length - 1)] ?? hit.rule.level) : hit.rule.level;
}

const attemptedOnly = (hit: Hit) => hit.calls > 0 && hit.calls === hit.rows.size && hit.notRun === hit.calls;

function findingOf(hit: Hit, toolVersion: string): Finding {
  const { rule } = hit;
  const attempted = attemptedOnly(hit);
  const title = attempted ? `Attempted: ${rule.title}` : rule.title;
  const suppressed = [...hit.suppressed.values()].reduce((sum, rows) => sum + rows.length, 0) >= hit.rows.size;
  return {
    finding_id: findingId(rule.id, hit.scope, hit.host, hit.user),
    rule: rule.id,
    rule_version: rule.version,
    level: levelOf(hit),
    level_reason: attempted ? 'one step down: every call was denied, blocked or cancelled before it ran' : '',
    title,
    statement: statementOf(hit, title),
    means: rule.means,
    otherwise: [...rule.otherwise],
    attack: [...rule.attack],
    atlas: [...rule.atlas],
    agent: hit.agent,
    host: hit.host,
    user: hit.user,
    session_id: hit.session_id,
    project_path: hit.project_path,
    first_utc: hit.first,
    last_utc: hit.last,
    count: hit.rows.size,
    row_ids: [...hit.rows],
    also_row_ids: hit.also,
    child_findings: [],
    ran: hit.ran,
    allowed: hit.allowed,
    excerpts: hit.excerpts,
    recovered: hit.live ? '' : [...hit.recovered].sort().join(' '),
    confidence: hit.live ? '' : (CONFIDENCE.find((name) => hit.confidence.has(name)) ?? ''),
    source_files: [...hit.files].sort(),
    suppressed_by: suppressed ? [...hit.suppressed.keys()].sort() : [],
    problem: [...hit.problems].sort().join('; '),
    rule_author: rule.author,
    rule_source: rule.source,
    schema: FINDING_SCHEMA,
    tool_version: toolVersion,
  };
}

/** One sentence that a report can quote. It says what is on record, and that the rest is not. */
function statementOf(hit: Hit, title: string): string {
  const what = hit.calls === hit.rows.size ? plural(hit.rows.size, 'call') : plural(hit.rows.size, 'row');
  const where = hit.session_id === '' ? '' : ` in session ${hit.session_id}`;
  const when = whenOf(hit);
  const { completed, failed, canceled, unknown } = hit.ran;
  const ends = [
    completed > 0 ? `${completed} completed` : '',
    failed > 0 ? `${failed} failed` : '',
    hit.allowed.denied > 0 ? `${hit.allowed.denied} denied or cancelled` : canceled > 0 ? `${canceled} cancelled` : '',
    unknown > 0 ? `${unknown} with unknown result` : '',
  ].filter((part) => part !== '');
  const copies = hit.live || hit.recovered.size === 0 ? '' : ' All of it is recovered, not live.';
  return `${what}${where} ${when}: ${title}.${ends.length === 0 ? '' : ` ${ends.join(', ')}.`}${copies}`;
}

function whenOf({ first, last, fileTimes }: Hit): string {
  if (first === '') return 'at an unknown time';
  const span = first === last ? `at ${first}` : `between ${first} and ${last}`;
  return fileTimes ? `in a file last written ${span}` : span;
}

const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
