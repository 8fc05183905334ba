/**
 * Rows for what `src/recover` found in free pages, leaf slack, the log and the journal of a database. Entries are mapped by the
 * code for live entries; each row says where its bytes lie, why the pieces belong together and how sure that is.
 */
import { isObject, type JsonObject } from '../evidence/json.js';
import type { RecoveredEntry, RecoveryResult, RecoverySummary } from '../recover/index.js';
import type { Draft } from '../rows/draft.js';
import { errorDraft, escapeUnsafe } from '../rows/problem.js';
import { type Conversation, newSequence, type Sequence } from './conversation/context.js';
import { entryRows } from './conversation/entry.js';
import { NO_GAP_FACTS } from './conversation/entry-context.js';
import { tooDeep } from './conversation/nesting.js';
import { readEntry } from './conversation/schema.js';
import { readToken } from './conversation/transcript.js';
import { shellRow } from './q-shell-table.js';
import { withheldValues } from './q-withheld.js';
import { tameJson } from './tame-json.js';

interface Group {
  readonly conversation: Conversation;
  readonly sequence: Sequence;
}

/** What became of a conversation that is known by its id. */
const HELD: Partial<Record<RecoveredEntry['region'], string>> = { 'damaged-row': 'whose row is damaged' };

const USER_ROWS = new Set<Draft['row_type']>(['prompt', 'tool_result', 'permission', 'context']);

/** Less certain copies of the same thing rank behind better ones, and all behind live rows. */
const RANK = { complete: 10, probable: 11, partial: 12, fragment: 13 };

export function* recoveredRows(result: RecoveryResult, agent: string): Generator<Draft> {
  yield summaryNotice(result.summary, agent);
  const groups = new Map<string, Group>();
  for (const entry of result.entries()) {
    let first = true;
    for (const row of rowsOf(entry, groupOf(groups, entry, agent), agent)) {
      yield located(row, entry, first);
      first = false;
    }
  }
}

function summaryNotice(summary: RecoverySummary, agent: string): Draft {
  const { byConfidence, statements, problems, ...details } = summary;
  const found = Object.values(byConfidence).reduce((sum, n) => sum + n, 0);
  const counts = Object.entries(byConfidence).map(([grade, n]) => `${grade}=${n}`);
  const space = `pages=${summary.pages} free_pages=${summary.freePages} superseded_copies=${summary.supersededCopies}`;
  return {
    // A notice stands ahead of what was recovered; that nothing was is a statement about the file.
    row_type: found > 0 ? 'recovered' : 'config',
    text: `deleted space: recovered=${found} ${counts.join(' ')} ${space}${statements.length > 0 ? `: ${statements.join('; ')}` : ''}`,
    agent,
    newRun: true,
    details: { ...details, ...byConfidence },
    problem: problems.join('; '),
  };
}

/** One conversation per id (or directory) and source: names of calls and the last model are carried on inside it. */
function groupOf(groups: Map<string, Group>, entry: RecoveredEntry, agent: string): Group {
  const { conversationId: id = '', projectPath: project = '', source } = entry;
  const name = `${id}\u0000${project}\u0000${source}`;
  const known = groups.get(name);
  if (known !== undefined) return known;
  const conversation = {
    agent,
    id,
    project,
    line: 0,
    rank: 0,
    timesKept: true,
    fallbackModel: undefined,
    toolNames: new Map<string, string>(),
  };
  const group = { conversation, sequence: newSequence(source) };
  groups.set(name, group);
  return group;
}

/** The row with its provenance; `entry_sha256` is the same on each row of one entry. */
function located(row: Draft, entry: RecoveredEntry, first: boolean): Draft {
  const { slices, pages, joins, stop, sha256, region, copies, variants, problems, generation, commit, possibleIds } = entry;
  const doubts = [...problems];
  if (variants.length > 0) doubts.push('another version of this entry exists');
  if (region === 'wal-uncommitted' || region === 'db-under-journal') doubts.push('written by a transaction that was not committed');
  const details: JsonObject = { ...row.details, entry_sha256: sha256, region, pages, slices, joins, stop };
  if (generation > 0) Object.assign(details, { log_generation: generation, log_commit: commit });
  if (copies > 0) details.equal_copies = copies;
  if (variants.length > 0) details.variants = variants;
  if (possibleIds !== undefined) details.possible_sessions = possibleIds;
  return {
    ...row,
    recovered: entry.source,
    confidence: entry.confidence,
    source_offset: slices[0]?.offset ?? null,
    rank: RANK[entry.confidence],
    problem: [row.problem ?? '', ...doubts].filter((text) => text !== '').join('; '),
    details,
    ...(first ? { newRun: true } : {}),
  };
}

function* rowsOf(entry: RecoveredEntry, group: Group, agent: string): Generator<Draft> {
  const { raw, around, kind } = entry;
  const { conversation } = group;
  const place = { agent, session_id: conversation.id, project_path: conversation.project };
  if (kind === 'entry') yield* mapped(raw, group, () => true);
  else if (kind === 'prompt') {
    const user = { content: { Prompt: { prompt: raw } }, timestamp: around.timestamp ?? null };
    yield* mapped({ user, assistant: { Response: { content: '' } } }, group, (row) => row.row_type === 'prompt');
  } else if (kind === 'assistant') {
    const parts = { user: { content: { Prompt: { prompt: '' } } }, assistant: raw, request_metadata: around.metadata ?? null };
    yield* mapped(parts, group, (row) => !USER_ROWS.has(row.row_type));
  } else if (kind === 'tool_result') {
    const user = { content: { ToolUseResults: { tool_use_results: [raw] } }, timestamp: around.timestamp ?? null };
    const wanted = (row: Draft) => row.row_type === 'tool_result' || row.row_type === 'permission';
    yield* mapped({ user, assistant: { Response: { content: '' } } }, group, wanted);
  } else if (kind === 'transcript') yield { ...place, ...transcriptRow(String(raw)) };
  else if (kind === 'fragment') yield { ...place, ...fragmentRow(String(raw), around.field ?? 'assistant') };
  else if (kind === 'summary')
    yield { ...place, row_type: 'summary', text: String(raw), origin: 'agent', source_pointer: '/latest_summary/0' };
  else if (kind === 'head')
    yield { ...place, row_type: 'session', text: `session: conversation ${HELD[entry.region] ?? 'that no row holds any more'}` };
  else if (kind === 'shell') yield { ...shellRow(new Map(Object.entries(isObject(raw) ? raw : {}))), agent };
  else {
    const what = kind === 'credential' ? 'credential in deleted space' : 'state value in deleted space';
    const details = { rule: around.rule ?? '' };
    const withheld = withheldValues(entry.stored?.() ?? '', around.rule === 'state-credential' ? 'cognito-credentials' : 'auth-store');
    yield {
      agent,
      row_type: 'config',
      text: `${what}: key=${escapeUnsafe(around.key ?? '')} bytes=${around.size ?? 0}`,
      details,
      withheld,
    };
  }
}

/** Rows of an entry, or of the part of one that is there. The order of recovered entries is no proof that the model was changed. */
function* mapped(raw: unknown, { conversation, sequence }: Group, wanted: (row: Draft) => boolean): Generator<Draft> {
  // A nesting that nobody can write again would end the run when the rows are written.
  const cut = tameJson(raw);
  const result = readEntry(raw);
  if (!result.ok) {
    const { agent, id, project } = conversation;
    yield errorDraft(`recovered entry could not be read (${result.problem})`, '', { agent, session_id: id, project_path: project });
    return;
  }
  for (const row of entryRows(conversation, sequence, result.entry, 0, '', NO_GAP_FACTS)) {
    if (row.row_type === 'model' && row.text.includes(' -> ')) continue;
    if (wanted(row))
      yield cut === 0 ? row : { ...row, problem: [row.problem ?? '', tooDeep(cut)].filter((text) => text !== '').join('; ') };
  }
}

function transcriptRow(element: string): Draft {
  const token = readToken(element);
  const user = token.kind === 'user';
  return {
    row_type: user ? 'prompt' : 'assistant',
    text: token.text,
    origin: user ? 'typed' : token.kind === 'program' ? 'automatic' : 'agent',
    source_pointer: '/transcript',
    ...(user ? { textKey: token.text } : {}),
  };
}

function fragmentRow(text: string, field: 'prompt' | 'assistant' | 'tool_result'): Draft {
  const origin = field === 'prompt' ? 'unknown' : field === 'assistant' ? 'agent' : '';
  return { row_type: field, text, origin, problem: 'text is cut' };
}
