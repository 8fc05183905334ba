import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { readObject } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { agentRows } from './agent-rows.js';
import { configPlace } from './place.js';
import { textOf, yamlObject } from './yaml-store.js';

// .kiro/agents/<name>.json or .md (YAML between `---` lines, then the prompt) of Kiro, of the user or of a project; `.json.bak` is
// a file the program replaced. It proves what an agent may do without being asked, what it is denied, which programs (MCP
// servers, hooks) run with it, its model and prompt. It cannot show that the agent was ever used. It holds no time: rows carry
// the file time, that of the last change of any part.
// Versions: JSON since 1.2x (v1 and v2 engines); v3 reads both forms and passes over files with `allowedTools` (its log says
// so). Evidence: L4, schema 2.1.1 and 2.13.0 read in the bundle by others; dwalleck/cyril; ancestor
// aws/amazon-q-developer-cli: crates/chat-cli/src/cli/agent/mod.rs.

const WHAT = 'agent configuration';
const SUPERSEDED = 'a file the program replaced: it does not read it';
const FENCE = /^---[ \t]*\r?\n/;
const END = /^(?:---|\.\.\.)[ \t]*\r?$/m;

export const kiroAgentConfig: FileParser = { id: 'kiro-agent-config', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { columns } = configPlace(source.artifact);
  const superseded = /\.bak$/i.test(source.artifact.file);
  const copy = superseded ? ({ recovered: 'superseded', confidence: 'complete' } as const) : {};
  for (const row of rowsOf(source, superseded)) yield { ...row, ...columns, ...copy };
}

function* rowsOf(source: FileSource, superseded: boolean): Generator<Draft> {
  const { file } = source.artifact;
  const { columns } = configPlace(source.artifact);
  const agent = yield* /\.md$/i.test(file) ? readMarkdown(source) : readObject(source, WHAT);
  if (agent) yield* agentRows(agent, { file, verdict: superseded ? SUPERSEDED : '', columns });
}

/** Members of the front matter, with the text behind it as the prompt. A file without any is a prompt alone. */
function* readMarkdown(source: FileSource): Generator<Draft, JsonObject | undefined> {
  const text = yield* textOf(source, WHAT, {});
  if (text === undefined) return undefined;
  if (text.trim() === '') {
    yield errorDraft(`${WHAT}: empty file (${source.size} bytes)`);
    return undefined;
  }
  const fence = FENCE.exec(text)?.[0].length;
  const rest = fence === undefined ? undefined : text.slice(fence);
  const end = rest === undefined ? undefined : (END.exec(rest) ?? undefined);
  if (rest === undefined || end === undefined) {
    yield errorDraft(`${WHAT}: no front matter between two lines of ---`);
    return { prompt: text };
  }
  const members = yield* yamlObject(rest.slice(0, end.index), WHAT, {});
  const body = rest.slice(end.index + end[0].length).replace(/^\n/, '');
  return { ...(isObject(members) ? members : {}), ...promptOf(members, body) };
}

/** The body is the prompt; a `prompt` in the front matter beside it is kept as a field of its own. */
function promptOf(members: JsonObject | undefined, body: string): JsonObject {
  if (body.trim() === '') return {};
  return members?.prompt === undefined ? { prompt: body } : { prompt: body, front_matter_prompt: members.prompt };
}
