import { type Finding, LEVELS, type Session } from '../analyze/index.js';
import type { AnalyzeResult } from '../pipeline/analyze.js';
import type { Manifest } from '../pipeline/manifest.js';
import { escapeUnsafe } from '../rows/problem.js';

const MOST_SESSIONS = 20;
const MOST_FINDINGS = 25;
const MOST_REMARKS = 10;

/** The analysis for a terminal: sessions, findings by level with their first row, and what was not read. */
export function analysisLines(result: AnalyzeResult, folder: string | undefined): string[] {
  const { analysis, listed } = result;
  const { sessions, findings, rows, outside } = analysis;
  const active = listed.filter((finding) => finding.suppressed_by.length === 0);
  const lines = [
    `${plural(sessions.length, 'session')}, ${rows} rows, ${outside} of them in no session${folder === undefined ? '' : `, written to ${escapeUnsafe(folder)}`}`,
  ];
  lines.push(...sessionLines(sessions));
  const suppressed = listed.length - active.length;
  const info = findings.filter((finding) => finding.level === 'info').length;
  lines.push(
    '',
    `${findingsHead(active)}${suppressed > 0 ? `, ${suppressed} suppressed` : ''}${info > 0 ? `; ${info} of level info are counted in the sessions` : ''}`,
  );
  for (const finding of active.slice(0, MOST_FINDINGS)) lines.push(...findingLines(finding));
  if (active.length > MOST_FINDINGS) lines.push(`  and ${active.length - MOST_FINDINGS} more (all of them with -o)`);
  lines.push('', ...unreadLines(result));
  return lines;
}

function findingsHead(findings: readonly Finding[]): string {
  const counts = LEVELS.map((level) => [level, findings.filter((finding) => finding.level === level).length] as const);
  const named = counts.filter(([, n]) => n > 0).map(([level, n]) => `${n} ${level}`);
  return `${plural(findings.length, 'finding')}${named.length === 0 ? '' : `: ${named.join(', ')}`}`;
}

function sessionLines(sessions: readonly Session[]): string[] {
  if (sessions.length === 0) return [];
  const table = [
    ['first', 'agent', 'user', 'session', 'typed', 'calls', 'commands', 'failed', 'denied', 'findings'],
    ...sessions
      .slice(0, MOST_SESSIONS)
      .map((session) => [
        session.first_utc === '' ? 'undated' : session.first_utc.slice(0, 16).replace('T', ' '),
        session.agents.join('+'),
        session.user,
        session.session_id.length > 24 ? `${session.session_id.slice(0, 23)}\u2026` : session.session_id,
        String(session.prompts.typed),
        String(Object.values(session.tools).reduce((sum, n) => sum + n, 0)),
        String(session.commands.total),
        String(session.commands.failed),
        String(session.decisions.denied),
        levelsOf(session),
      ]),
  ].map((cells) => cells.map(escapeUnsafe));
  const widths = (table[0] ?? []).map((_, i) => Math.max(...table.map((cells) => (cells[i] ?? '').length)));
  const lines = table.map((cells) => `  ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
  if (sessions.length > MOST_SESSIONS) lines.push(`  and ${sessions.length - MOST_SESSIONS} more`);
  return lines;
}

function levelsOf({ findings }: Session): string {
  const named = LEVELS.filter((level) => level !== 'info' && findings[level] > 0).map((level) => `${findings[level]} ${level}`);
  return named.length === 0 ? '-' : named.join(', ');
}

function findingLines(finding: Finding): string[] {
  const [row = ''] = finding.row_ids;
  const [file = ''] = finding.source_files;
  const lines = [
    `  ${finding.level.toUpperCase().padEnd(8)} ${finding.statement}`,
    `           ${finding.rule}, first row ${row} in ${file}${allowedOf(finding)}`,
    `           else: ${finding.otherwise.join('; ')}`,
  ];
  if (finding.problem !== '') lines.push(`           understood in part: ${finding.problem}`);
  const [excerpt] = finding.excerpts;
  if (excerpt !== undefined) lines.splice(1, 0, `           > ${excerpt}`);
  return lines.map(escapeUnsafe);
}

function unreadIn({ not_read, inputs }: Manifest): string[] {
  return [
    ...not_read.errors.map(({ path, problem }) => `${path}: ${problem}`),
    ...not_read.unrecognised.map((path) => `${path}: not recognised`),
    ...inputs.flatMap((input) => input.problems.map((problem) => `${input.path}: ${problem}`)),
  ];
}

function allowedOf({ allowed }: Finding): string {
  const named = [
    [allowed.approved, 'approved'],
    [allowed.denied, 'denied'],
    [allowed.standing, 'under a standing grant'],
    [allowed.unasked, 'not asked about'],
    [allowed.unknown, 'with no decision on record'],
  ] as const;
  const parts = named.filter(([n]) => n > 0).map(([n, how]) => `${n} ${how}`);
  return parts.length === 0 ? '' : `; ${parts.join(', ')}`;
}

function unreadLines({ run, manifest, problems, broken, remarks }: AnalyzeResult): string[] {
  const lines: string[] = [];
  const unread = manifest === undefined ? [] : unreadIn(manifest);
  if (unread.length > 0) lines.push(`not read in full: ${unread.length}`, ...unread.slice(0, MOST_REMARKS).map((text) => `  ${text}`));
  else if (manifest === undefined) lines.push('what was not read: unknown, no manifest of this timeline lies beside it');
  else lines.push(manifest.inputs.length === 0 ? 'nothing found to read' : 'all evidence was read in full');
  if (manifest !== undefined && unread.length > MOST_REMARKS) lines.push(`  and ${unread.length - MOST_REMARKS} more, see the manifest`);
  if (run === undefined && broken > 0) {
    lines.push(
      `lines of the timeline that are no rows: ${broken}`,
      ...problems.slice(0, MOST_REMARKS).map(({ line, what }) => `  line ${line}: ${what}`),
    );
  }
  return [...lines, ...remarks].map(escapeUnsafe);
}

const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
