import { compact, isObject } from '../evidence/json.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { problems, type StoreColumns } from './json-store.js';

// Standing grants and denials of an agent file: its `allowedTools` and `toolsSettings`
// (aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/mod.rs, src/util/tool_permission_checker.rs,
// src/cli/chat/tools/execute/mod.rs, fs_read.rs, fs_write.rs, use_aws.rs, 1.19.7).

export interface GrantContext {
  readonly file: string;
  /** Why the program rejects the whole file, or empty. */
  readonly verdict: string;
  readonly columns: StoreColumns;
  /** Keys of `toolsSettings`; absent: those of Amazon Q Developer CLI. */
  readonly rules?: GrantRules;
}

/** The settings a program knows, by tool and key, and what is said of others. */
export interface GrantRules {
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, Rule>>;
  readonly unknownTool: string;
  readonly unknownKey: string;
}

interface Ruling {
  readonly decision: 'granted' | 'denied' | 'unknown';
  readonly problem: string;
}

export type Rule = { readonly decision: 'granted' | 'denied'; readonly shape: 'list' | 'switch' };

export const grants = (shape: Rule['shape']): Rule => ({ decision: 'granted', shape });
export const denies = (shape: Rule['shape']): Rule => ({ decision: 'denied', shape });

export const EXECUTE: ReadonlyMap<string, Rule> = new Map([
  ['allowedCommands', grants('list')],
  ['deniedCommands', denies('list')],
  ['denyByDefault', denies('switch')],
  ['autoAllowReadonly', grants('switch')],
]);
export const PATHS: ReadonlyMap<string, Rule> = new Map([
  ['allowedPaths', grants('list')],
  ['deniedPaths', denies('list')],
]);
export const SERVICES: ReadonlyMap<string, Rule> = new Map([
  ['allowedServices', grants('list')],
  ['deniedServices', denies('list')],
  ['autoAllowReadonly', grants('switch')],
]);
export const AMAZON_Q: GrantRules = {
  tools: new Map([
    ['execute_bash', EXECUTE],
    ['execute_cmd', EXECUTE],
    ['fs_read', new Map([...PATHS, ['allowReadOnly', grants('switch')]])],
    ['fs_write', PATHS],
    ['use_aws', SERVICES],
  ]),
  unknownTool: 'the program reads no settings of this tool: no effect',
  unknownKey: 'the program knows no such key for this tool: no effect',
};

/** `inList` is false for a value that stands where the list should be. */
export function allowedToolRow(entry: unknown, inList: boolean, pointer: string, context: GrantContext): Draft {
  const sound = inList && typeof entry === 'string';
  return {
    ...settingRow(`allowedTools=${compact(entry)}`, pointer, context),
    tool_name: typeof entry === 'string' ? toolOf(entry) : '',
    decision: sound ? 'granted' : 'unknown',
    problem: problems(!sound && 'not a text in a list: no effect in the program', context.verdict),
    details: { value: entry },
  };
}

/** One row per key of a tool, whatever it is called: a key the program ignores still shows what its owner meant. */
export function* toolSettingRows(tool: string, settings: unknown, context: GrantContext): Generator<Draft> {
  const at = tool === '' ? '/toolsSettings' : step('/toolsSettings', tool);
  if (!isObject(settings)) {
    const name = tool === '' ? 'toolsSettings' : `toolsSettings.${tool}`;
    yield {
      ...settingRow(`${name}=${compact(settings)}`, at, context),
      tool_name: tool,
      decision: 'unknown',
      problem: problems('the settings are not a JSON object: no effect in the program', context.verdict),
      details: { value: settings },
    };
    return;
  }
  for (const [key, value] of Object.entries(settings)) {
    const { decision, problem } = ruling(tool, key, value, context.rules ?? AMAZON_Q);
    yield {
      ...settingRow(`toolsSettings.${tool}.${key}=${compact(value)}`, step(at, key), context),
      tool_name: tool,
      decision,
      problem: problems(problem, context.verdict),
      details: { key, value },
    };
  }
}

export function settingRow(setting: string, pointer: string, { file, columns }: Pick<GrantContext, 'file' | 'columns'>): Draft {
  return {
    row_type: 'permission',
    text: `permission setting: ${setting} (from ${file}, file mtime)`,
    decided_by: 'config',
    source_pointer: pointer,
    ...columns,
  };
}

function ruling(tool: string, key: string, value: unknown, known: GrantRules): Ruling {
  const unknown = (problem: string): Ruling => ({ decision: 'unknown', problem });
  const rules = known.tools.get(tool);
  if (!rules) return unknown(known.unknownTool);
  const rule = rules.get(key);
  // 1.13 to 1.15 knew `allowReadOnly` and took it as true when it was missing; 1.16 renamed it.
  if (!rule && known === AMAZON_Q && rules === EXECUTE && key === 'allowReadOnly')
    return unknown('read by 1.13 to 1.15 only; no effect in later versions');
  if (!rule) return unknown(known.unknownKey);
  const right = rule.shape === 'switch' ? typeof value === 'boolean' : Array.isArray(value) && value.every((v) => typeof v === 'string');
  if (!right) return unknown('a value of the wrong type: the program ignores the settings of this tool');
  const empty = value === false || (Array.isArray(value) && value.length === 0);
  if (empty) return unknown(`${compact(value)}: nothing is ${rule.decision} by it`);
  return { decision: rule.decision, problem: '' };
}

/** The tool an entry of `allowedTools` names, as a model calls it; empty for a whole server and for a pattern. */
function toolOf(entry: string): string {
  const name = entry.startsWith('@') ? (entry.split('/')[1] ?? '') : entry;
  return /[*?]/.test(name) ? '' : name;
}
