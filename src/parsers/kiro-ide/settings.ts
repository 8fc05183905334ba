import { isObject, type JsonObject, parseJson } from '../../evidence/json.js';
import { type FileSource, TooLargeError } from '../../evidence/source.js';
import { decodeUtf8 } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { errorDraft } from '../../rows/problem.js';
import type { FileParser } from '../parser.js';
import { tameJson } from '../tame-json.js';
import { isSecretName, withheld } from './withhold.js';

// User/settings.json of the Kiro IDE, and `.vscode/settings.json` of a project: what a person set, or an agent made itself free to do
// (AWS-2025-019: a prompt in a web page let the agent write its own list of trusted commands). Each entry of `trustedCommands` and
// `trustedTools` is a standing grant, each of `commandDenylist` a denial. 1.0 no longer reads these three. The file holds no
// time: rows carry that of its last change, of whatever setting. Evidence: L2, kiro.dev/docs/chat/terminal; names in public scripts.

export const kiroIdeSettings: FileParser = { id: 'kiro-ide-settings', container: 'file', parse };

const OURS = /^(?:kiro|kiroagent|aws|amazonq)\./i;
const GRANTS = /^kiroAgent\.(?:trustedCommands|trustedTools|mcp\.autoApprove\w*|mcpApprovedEnvVars)$/i;
const DENIALS = /^kiroAgent\.commandDenylist$/i;
const SWITCHES = /^kiroAgent\.(?:autopilot|agentAutonomy|autonomyMode)$/i;

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const columns = { time: artifact.mtime, project_path: artifact.inProject ? artifact.base : '' };
  const stored = read(source);
  if (typeof stored === 'string') {
    // Of a project that never saw the IDE nothing is to be said.
    if (!artifact.inProject || /kiro/i.test(source.read(0, 1 << 20).toString('latin1')))
      yield { ...errorDraft(`settings: ${stored}`), ...columns };
    return;
  }
  const others: string[] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (!OURS.test(key)) others.push(key);
    else yield* settingRows(key, value, columns);
  }
  if (!artifact.inProject) {
    yield { row_type: 'config', text: `settings of the editor, not read: keys=${others.length}`, ...columns, details: { keys: others } };
  }
}

function read(source: FileSource): JsonObject | string {
  try {
    const { text } = decodeUtf8(source.bytes());
    const parsed = parseJson(Buffer.from(withoutComments(text), 'utf8'));
    if (!parsed.ok) return parsed.problem;
    if (!isObject(parsed.value)) return 'not a JSON object';
    tameJson(parsed.value);
    return parsed.value;
  } catch (error) {
    if (error instanceof TooLargeError) return error.message;
    throw error;
  }
}

/**
 * Comments become blanks, and a comma ahead of a closing bracket too; texts are left as they are. A text or comment without an end
 * goes to the end of the file: sought again from each quote in it, its end would cost the square of the length.
 */
export function withoutComments(text: string): string {
  const bare = text.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
    part.startsWith('"') ? part : ' ',
  );
  return bare.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|,(?=\s*[\]}])/g, (part) => (part.startsWith('"') ? part : ' '));
}

type Columns = Pick<Draft, 'time' | 'project_path'>;

function* settingRows(key: string, value: unknown, columns: Columns): Generator<Draft> {
  const pointer = step('', key);
  if (isSecretName(key)) {
    yield { row_type: 'config', text: `credential stored: setting=${key}`, source_pointer: pointer, ...columns };
    return;
  }
  const decision = GRANTS.test(key) ? 'granted' : DENIALS.test(key) ? 'denied' : undefined;
  if (decision !== undefined && Array.isArray(value)) {
    for (const [i, entry] of value.entries()) yield ruleRow(key, entry, decision, step(pointer, i), columns);
    if (value.length > 0) return;
  }
  const on = value === true || (typeof value === 'string' && /^(?:autopilot|full)$/i.test(value));
  if ((SWITCHES.test(key) || (decision === 'granted' && typeof value === 'boolean')) && on) {
    yield ruleRow(key, value, 'granted', pointer, columns);
    return;
  }
  const shown = withheld(value);
  yield {
    row_type: 'config',
    text: `setting: ${key}=${typeof shown === 'string' ? shown : JSON.stringify(shown)}`,
    source_pointer: pointer,
    ...columns,
    details: { key, value: shown },
  };
}

function ruleRow(key: string, entry: unknown, decision: 'granted' | 'denied', source_pointer: string, columns: Columns): Draft {
  const shown = withheld(entry);
  return {
    row_type: 'permission',
    text: `permission setting: ${key}=${typeof shown === 'string' ? shown : JSON.stringify(shown)} (from settings.json, file mtime)`,
    decision,
    decided_by: 'config',
    source_pointer,
    ...columns,
    problem: typeof entry === 'string' || typeof entry === 'boolean' ? '' : 'the entry is not a text',
    details: { key, value: shown },
  };
}
