/** Text of `docs/analysis.md`: the two tables of an analysis, from their schemas. */
import { FindingSchema, SessionSchema } from '../src/analyze/index.js';

interface Described {
  readonly description?: string | undefined;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rowsOf = (shape: Readonly<Record<string, Described>>) =>
  Object.entries(shape).map(([key, { description }]) => `| \`${key}\` | ${cell(description ?? '')} |`);

export function analysisText(generated: string): string {
  return `${generated}

# Sessions and findings

\`kirotrail analyze <evidence...|timeline.jsonl> -o DIR\` writes \`sessions\` and \`findings\` as JSONL and CSV, and for evidence the timeline and its manifest.
All keys are always present, in this order. In CSV lists and objects are JSON text, with the same guards as in a timeline (see columns.md).
Rows that are copies (\`duplicate_of\`) do not count; a finding lists them apart. Values of other rows of the same call (its decision, its result)
are joined by session and \`tool_use_id\`; nothing joined is written into the timeline.

## Sessions

One record for each session id, host and user, in the order of their first recorded time.

| Key | Meaning |
|---|---|
${rowsOf(SessionSchema.shape).join('\n')}

## Findings

One record for each rule and session; for a rule about rows without a session, one for each file; for a rule about secrets, one for each secret. Ordered by
level, first time (undated last), rule, scope. The level goes one step down when every matched call was denied, blocked or cancelled before it ran, and the
title then begins with "Attempted:"; it never goes up. Levels and rules: [rules.md](rules.md).

| Key | Meaning |
|---|---|
${rowsOf(FindingSchema.shape).join('\n')}

## Suppression

\`--suppress FILE\` takes a YAML list. An entry names a rule (or \`family.*\`) and a reason, and may narrow itself by \`where\` (any condition of
[rules.md](rules.md)), \`finding_id\`, \`session_id\`, \`project_path\`, \`user\`, \`source\` (\`source_file\`) and \`until\` (the last day it holds). Rows are taken out
one by one: a finding with one row that no entry speaks of stays. Suppressed findings stay in the tables with \`suppressed_by\` and are left out of
the summary and of the counts of sessions. Rules about the evidence itself (\`evade.agent-trace\`, \`gap.*\`, \`copy.*\`) need a session, finding or source.
Entries that are over, and entries that never spoke, are named.
`;
}
