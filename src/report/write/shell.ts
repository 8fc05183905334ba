import type { ReportSummary } from '../format.js';
import { grouped, html } from './escape.js';

/** What a reader sees before the script runs, or without it: the statement, the figures, the first findings, the pages. */
export function shellOf(summary: ReportSummary): string {
  return [
    '<main class="shell">',
    `<h1>${html(summary.title)}</h1>`,
    summary.scope === '' ? '' : `<p class="shell-scope">${html(summary.scope)}</p>`,
    summary.part === null ? '' : `<p><a href="${html(summary.part.index)}">Index of all parts</a></p>`,
    '<h2>What was read</h2>',
    `<ul>${statementOf(summary)
      .map((line) => `<li>${html(line)}</li>`)
      .join('')}</ul>`,
    '<h2>Figures</h2>',
    `<dl>${figuresOf(summary)
      .map(([name, n]) => `<div><dt>${name}</dt><dd>${grouped(n)}</dd></div>`)
      .join('')}</dl>`,
    findingsOf(summary),
    partsOf(summary),
    summary.parts.length > 0
      ? ''
      : `<noscript><p>The rows themselves need JavaScript. They are the same as those of the timeline with the SHA-256 above.</p></noscript>`,
    '</main>',
  ].join('\n');
}

function statementOf(summary: ReportSummary): string[] {
  const { rows, undated, first_utc, last_utc, files, files_partly_read, files_unread, not_read, secrets_policy } = summary;
  const named = (what: string, names: readonly string[]) => `${what}: ${names.length === 0 ? 'not recorded' : names.join(', ')}`;
  return [
    `${grouped(rows)} rows, ${first_utc === '' ? 'none with a recorded time' : `${first_utc} to ${last_utc}`}, ${grouped(undated)} without a time`,
    named('Hosts', summary.hosts),
    named('Users', summary.users),
    named('Agents', summary.agents),
    not_read === null
      ? 'No manifest: what was not read is unknown'
      : `${grouped(files)} files found, ${grouped(files_partly_read)} read in part, ${grouped(files_unread)} not read; ${grouped(not_read)} other files, folders and links not read`,
    SECRETS[secrets_policy],
    `Timeline: SHA-256 ${summary.timeline_sha256}`,
    `kirotrail ${summary.tool_version}`,
    ...summary.remarks,
  ];
}

const SECRETS: Readonly<Record<ReportSummary['secrets_policy'], string>> = {
  masked: 'Secrets are masked',
  shown: 'Secrets stand in this page as stored',
  'not scanned': 'Not scanned for secrets: they stand in this page as stored',
  unknown: 'Whether secrets are masked is unknown',
};

function figuresOf({ figures }: ReportSummary): (readonly [string, number])[] {
  return [
    ['Sessions', figures.sessions],
    ['Prompts typed', figures.prompts_typed],
    ['Prompts injected', figures.prompts_injected],
    ['Tool calls', figures.tool_calls],
    ['Approved', figures.approved],
    ['Denied or cancelled', figures.denied_or_cancelled],
    ['Calls without a recorded decision', figures.not_recorded],
    ['Recovered rows', figures.recovered],
    ['Gaps', figures.gaps],
    ['Errors', figures.errors],
    ['Secrets', figures.secrets],
  ];
}

function findingsOf({ findings, findings_total }: ReportSummary): string {
  if (findings.length === 0) return '<h2>Findings</h2>\n<p>None.</p>';
  const items = findings.map(
    ({ level, statement, otherwise, suppressed_by }) =>
      `<li><strong>${level}</strong> ${html(statement)} Otherwise: ${html(otherwise.join('; '))}${suppressed_by.length > 0 ? ` Suppressed: ${html(suppressed_by.join('; '))}` : ''}</li>`,
  );
  const head = findings_total > findings.length ? `The first ${findings.length} of ${grouped(findings_total)}` : grouped(findings_total);
  return `<h2>Findings</h2>\n<p>${head}</p>\n<ol>\n${items.join('\n')}\n</ol>`;
}

function partsOf({ parts }: ReportSummary): string {
  if (parts.length === 0) return '';
  const items = parts.map(
    ({ href, number, rows, sessions, first_utc, last_utc }) =>
      `<li><a href="${html(href)}">Part ${number}</a>: ${grouped(rows)} rows, ${grouped(sessions)} sessions, ${first_utc === '' ? 'undated' : `${first_utc} to ${last_utc}`}</li>`,
  );
  return `<h2>Parts</h2>\n<p>The rows are in these pages, whole sessions in each. A search runs inside one page.</p>\n<ol>\n${items.join('\n')}\n</ol>`;
}
