/** The findings that deserve a look first; each opens its rows. */
import { linkTo } from '../data/place.js';
import type { FirstFinding } from '../data/tables.js';
import { useSelected } from '../model/use.js';
import { LevelTag } from '../parts/tags.js';
import { count, plural } from '../text/numbers.js';
import { plain } from '../text/pieces.js';
import { originalOf, type Raw } from '../text/raw.js';
import { Shown } from '../text/shown.js';

const FIRST = 10;

interface Group {
  readonly first: FirstFinding;
  readonly rows: number;
  readonly sessions: Set<Raw>;
  readonly findings: FirstFinding[];
}

/** Findings of one rule and level stand together; they come in order, so the first is the one to open. */
export function groupFindings(findings: readonly FirstFinding[]): Group[] {
  const groups = new Map<string, { first: FirstFinding; rows: number; sessions: Set<Raw>; findings: FirstFinding[] }>();
  for (const finding of findings) {
    const key = `${finding.level} ${originalOf(finding.rule)} ${originalOf(finding.title)}`;
    const group = groups.get(key) ?? { first: finding, rows: 0, sessions: new Set(), findings: [] };
    group.rows += finding.count;
    if (originalOf(finding.session_id) !== '') group.sessions.add(finding.session_id);
    group.findings.push(finding);
    groups.set(key, group);
  }
  return [...groups.values()];
}

export const isSuppressed = ({ suppressed_by }: FirstFinding): boolean => suppressed_by.length > 0;

export function Attention() {
  const findings = useSelected(({ tables, summary }) => tables?.findings ?? summary.findings);
  const total = useSelected(({ summary }) => summary.findings_total);
  const groups = groupFindings(findings.filter((finding) => !isSuppressed(finding)));
  return (
    <section class="attention">
      <h2>
        Needs attention <small>{plural(total, 'finding')} · what rows show, not guilt</small>
      </h2>
      {groups.length === 0 ? (
        <p>
          No rule matched. The rules look for commands, reads and writes that deserve a second look, prompts nobody typed, refusals, secrets
          and standing grants; <a href={linkTo({ view: 'timeline' })}>the timeline</a> has every row.
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Severity</th>
              <th scope="col">Finding</th>
              <th scope="col" class="number">
                Rows
              </th>
              <th scope="col" class="number minor">
                Sessions
              </th>
              <th scope="col" class="minor">
                First seen (UTC)
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, FIRST).map(({ first, rows, sessions, findings }) => (
              <tr key={plain(first.finding_id)}>
                <td>
                  <LevelTag level={first.level} />
                </td>
                <td>
                  <a href={hrefOf(findings)}>
                    <Shown of={first.title} />
                  </a>
                </td>
                <td class="number">{count(rows)}</td>
                <td class="number minor">{count(sessions.size)}</td>
                <td class="mono minor">{plain(first.first_utc).replace('T', ' ').slice(0, 19)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {groups.length > 0 && (
        <p>
          <a href={linkTo({ view: 'findings' })}>All findings</a>
        </p>
      )}
    </section>
  );
}

/** One finding opens its rows; several open the list where each can be chosen. */
function hrefOf(findings: readonly FirstFinding[]): string {
  const [first] = findings;
  if (first === undefined || findings.length > 1)
    return linkTo({ view: 'findings', finding: first === undefined ? '' : plain(first.finding_id) });
  return linkTo({ view: 'timeline', finding: plain(first.finding_id) });
}
