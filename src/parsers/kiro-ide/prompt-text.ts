// What the IDE puts around, ahead of and behind the words of a person, so that injected text is never shown as theirs.
// Sources: readers of `.chat` and execution files (obodnikov/claude-chat-manager, kenn-io/agentsview#278), which agree.

/** A message of the human side, taken apart. Nothing is lost: the parts together are the message, but for blanks between them. */
export interface PromptParts {
  /** Texts that nobody typed, in order, ahead of (`before`) and behind what was said. */
  readonly before: readonly string[];
  readonly said: string;
  readonly after: readonly string[];
  /** Why it is not sure where the person's words begin. */
  readonly problem: string;
}

const SYSTEM_TAGS = [
  'key_kiro_features',
  'autonomy_modes',
  'chat_context',
  'platform_specific_command_guidelines',
  'subagents',
  'current_context',
];
const CLOSINGS = ['identity', ...SYSTEM_TAGS].map((tag) => `</${tag}>`);
const RULES = /^\s*(?:## Included Rules|<user-rule|<steering-reminder)/;
const RULE_ENDS = ['</user-rule>', '</steering-reminder>'];
const ENVIRONMENT = /(?:^|\n)\s*<EnvironmentContext>/;

export function splitPrompt(text: string): PromptParts {
  const start = text.trimStart();
  if (start.startsWith('[SYSTEM NOTE:')) return { before: [text], said: '', after: [], problem: '' };
  const before: string[] = [];
  let problem = '';
  let said = text;
  const system = systemPrompt(said, start);
  if (system > 0) {
    before.push(said.slice(0, system).trimEnd());
    said = said.slice(system).trimStart();
    if (said !== '') problem = 'stands behind the system prompt in one message: where it begins is inferred';
  }
  if (RULES.test(said)) {
    const end = Math.max(...RULE_ENDS.map((tag) => behindLast(said, tag)));
    const cut = end > 0 ? end : said.length;
    before.push(said.slice(0, cut).trim());
    said = said.slice(cut).trimStart();
  }
  const environment = ENVIRONMENT.exec(said);
  const after = environment ? [said.slice(environment.index).trim()] : [];
  if (environment) said = said.slice(0, environment.index).trimEnd();
  return { before, said: said.trim() === '' ? '' : said, after, problem };
}

/** Length of a system prompt at the start, 0 when there is none. */
function systemPrompt(text: string, start: string): number {
  const known = SYSTEM_TAGS.filter((tag) => text.includes(`<${tag}>`)).length;
  if (start.startsWith('<identity>')) return known >= 2 ? Math.max(...CLOSINGS.map((tag) => behindLast(text, tag))) : text.length;
  return known >= 2 ? Math.max(0, ...CLOSINGS.map((tag) => behindLast(text, tag))) : 0;
}

function behindLast(text: string, tag: string): number {
  const at = text.lastIndexOf(tag);
  return at < 0 ? 0 : at + tag.length;
}

/** What the program lets the assistant say in answer to its own instructions. */
export function isBoilerplate(text: string): boolean {
  return /^\s*(?:I will follow these instructions\.?|Understood\.?)\s*$/.test(text);
}

/** Stands in the place of an answer that is in the execution log (kirodotdev/Kiro#506). */
export function isPlaceholder(text: string): boolean {
  return /^\s*On it\.\s*$/.test(text);
}
