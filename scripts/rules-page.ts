/** The page of rules: what each says, from the rule files. */
import { checkedDocument } from '../src/analyze/rules/check.js';
import { catalogRuleDocuments, techniquesOf } from '../src/analyze/rules/load.js';
import { LEVELS, type Rule, type Sample } from '../src/analyze/rules/schema.js';
import type { Techniques } from '../src/analyze/rules/techniques.js';
import type { Documents } from '../src/catalog/documents.js';

const LEVEL_MEANING: Readonly<Record<(typeof LEVELS)[number], string>> = {
  critical: 'loss of data or control, or tampering with this evidence: read now',
  high: 'rarely part of normal work: read each one',
  medium: 'worth reading when the session matters',
  low: 'context that helps to understand',
  info: 'counted for each session, listed on request',
};

const FAMILIES: Readonly<Record<string, string>> = {
  exec: 'Execution',
  dest: 'Destructive changes',
  cred: 'Credential access',
  exfil: 'Exfiltration',
  pers: 'Persistence',
  evade: 'Evasion',
  agent: "Agents' own settings",
  supply: 'Supply chain',
  priv: 'Privilege',
  lat: 'Other machines',
  cloud: 'Cloud',
  recon: 'Discovery',
  grant: 'Grants',
  perm: 'Decisions',
  prompt: 'Prompts, injected instructions, hidden characters',
  gap: 'Gaps',
  time: 'Time',
  copy: 'Copies',
  secret: 'Secrets',
  claim: 'Claims against the log',
  deleg: 'Delegation',
  mcp: 'MCP servers',
  hook: 'Hooks',
};

const familyOf = ({ id }: Rule) => id.slice(0, id.indexOf('.'));
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Invisible characters are shown, not written. */
const visible = (text: string) =>
  text.replace(/[^\x20-\x7e]/gu, (char) => (char === '\n' ? '\\n' : `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`));

function shown(sample: Sample): string {
  if (Array.isArray(sample)) return sample.map(shown).join(', then ');
  if (typeof sample === 'string') return code(sample);
  const { repeat, ...row } = sample;
  const command = Object.keys(row).join() === 'command' ? code(String(row.command)) : code(JSON.stringify(row));
  return repeat === undefined ? command : `${String(repeat)} times ${command}`;
}

/** A text with backticks in it needs more of them around it. */
function code(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const pad = text.includes('`') ? ' ' : '';
  return `${ticks}${pad}${visible(text)}${pad}${ticks}`;
}

function ruleSection(rule: Rule, techniques: Techniques): string {
  const ids = [...rule.attack, ...rule.atlas].map((id) => `${id} ${techniques.nameOf(id)}`.trim());
  const [sample] = rule.samples.match;
  return [
    `### ${rule.id}`,
    '',
    `**${rule.title}** (${rule.level})`,
    '',
    sentence(rule.means),
    '',
    `- What else explains it: ${sentence(rule.otherwise.join('; '))}`,
    ...(ids.length > 0 ? [`- Techniques: ${ids.join('; ')}`] : []),
    ...(sample === undefined ? [] : [`- Matches: ${shown(sample)}`]),
    '',
  ].join('\n');
}

export function rulesPage(catalog: Documents, generated: string): string {
  const rules = catalogRuleDocuments(catalog).flatMap((document) => checkedDocument(document, []).rules.map(({ rule }) => rule));
  const techniques = techniquesOf(catalog);
  const counts = LEVELS.map((level) => `| ${level} | ${LEVEL_MEANING[level]} | ${rules.filter((rule) => rule.level === level).length} |`);
  const families = Object.entries(FAMILIES).map(([family, title]) => {
    const own = rules.filter((rule) => familyOf(rule) === family);
    return `## ${title}\n\n${own.map((rule) => ruleSection(rule, techniques)).join('\n')}`;
  });
  const strays = rules.filter((rule) => !(familyOf(rule) in FAMILIES)).map((rule) => rule.id);
  if (strays.length > 0) throw new Error(`rules without a family on the page: ${strays.join(', ')}`);
  return `${generated}

# Rules

${rules.length} rules. A finding says what rows show: it is a reason to read them, no judgement of a person. Each rule names what else
explains what it shows. Technique ids are those of MITRE ATT&CK v19 and ATLAS 5.6.0.

| Level | Meaning | Rules |
|---|---|---|
${counts.join('\n')}

A command line is taken apart once into simple commands, through pipes, \`sh -c\`, \`sudo\`, here-documents and encodings. A rule asks for
facts of such a command (the paths it reads, writes and deletes, where it sends data, what stands ahead of it in a pipe), not for a text
anywhere on the line: a mention in a commit message or a search is no match. What a program does by itself is not in the evidence.

## Own rules

Rules of your own are YAML in the same form: one rule, several documents, or a list under \`rules:\`. They are checked when they are
loaded, and a file with a fault is refused as a whole, with line, rule and reason.

\`\`\`yaml
id: corp.deploy-from-laptop        # family.short-name, never used for something else later
version: 1                         # raised with each change of the condition
title: The production deploy script was run
level: medium                      # critical, high, medium, low, info
means: Deployments are meant to run in the pipeline.
otherwise: [an agreed emergency]   # at least one other explanation
attack: [T1072]
rows: [tool_use, shell]            # row types; default all
match:
  command: {name: deploy.sh, arg: [--env=prod, production], not: {flag: --dry-run}}
samples:
  match: ['./deploy.sh production']
  no_match: ['./deploy.sh production --dry-run', 'cat deploy.sh']
---
lists:
  host.installer: {extend: true, entries: [get.corp.example]}   # without extend: in place of the built-in list
\`\`\`

| Part | Keys |
|---|---|
| condition | \`where\` (columns, \`details.x.y\`, \`joined.decision\`, \`joined.decided_by\`, \`joined.status\`, \`joined.exit_code\`, \`joined.not_run\`, \`joined.approvals_recorded\`, \`file_mtime\`, \`collected_at\`), \`command\` (one simple command meets all keys), \`commands\` (each of several is met by some command), \`touch: {how, path, but}\` (a file tool or a command reads, writes or deletes such a path), \`any\`, \`all\`, \`not\` |
| command | \`name\`, \`sub\` (first operands), \`op\` (operands), \`arg\`, \`flag\`, \`value: {option: ...}\`, \`line\`, \`reads\`, \`writes\`, \`deletes\`, \`recursive\`, \`force\`, \`fetches\`, \`sends\`, \`urls\`, \`body\`, \`body_file\`, \`from\`, \`to\`, \`upstream\`, \`subst\`, \`procsub\`, \`wrapper\`, \`privileged\`, \`via\`, \`remote\`, \`container\`, \`encoded\`, \`env\`, \`heredoc\`, \`stdin_code\`, \`outside_project\`, \`any\`, \`all\`, \`not\` |
| value | a text, number or truth value; a list (one of them); \`{re}\`, \`{list}\`, \`{path}\`, \`{host}\` (\`'!name'\`: a host not in the list), \`{gte}\`, \`{lt}\`, \`{exists}\`, \`{not}\`; for lists also \`{none}\`, \`{all}\`, \`{count}\` |
| kind of rule | \`match\`; \`sequence: {by: session_id, within_rows, steps, same, until}\`; \`group: {by, when, distinct, at_least}\`; \`check\` (an analysis in the program) |
| \`replaces\` | id of a rule that this one takes the place of |

Regular expressions are those of JavaScript with the flag \`u\`; \`(?i)\`, \`(?s)\`, \`(?m)\` at the head are flags, a list means one of
them. A repetition without bound inside another one is refused. Of a text the first 1,048,576 characters are looked at, of a command 64 KiB.

${families.join('\n').trimEnd()}
`;
}
