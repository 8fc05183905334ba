import { type JsonObject, parseJson } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { fromRfc3339 } from '../../rows/time.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { tameJson } from '../tame-json.js';
import { folderOf, intentOf, nameOf, projectOf, wholeText } from './text.js';

// <intent>/.aidlc-engine/ (older: .aidlc-hooks-health/) and intents.json: marks of the engine: when a hook last ran (.last), that it
// found nothing to do (.noop), that a person took a turn, which directive is open, which calls a guard refused. Mostly their time is
// all they say. Each is the last state only. Evidence: L4, awslabs/aidlc-workflows: docs/guide/14-artifacts-reference.md, harness/kiro-ide.

export const aiDlcMarker: FileParser = { id: 'ai-dlc-marker', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const whole = yield* wholeText(source, 'AI-DLC mark');
  if (whole === undefined) return;
  const name = nameOf(artifact);
  const text = whole.text.trim();
  const noted = fromRfc3339(text, 'record');
  const parsed = /^[[{"]/.test(text) ? parseJson(Buffer.from(text)) : undefined;
  if (parsed?.ok) tameJson(parsed.value);
  const refused = folderOf(artifact, 1) === 'guard-refusals';
  const head = refused ? 'permission decision: blocked by=hook' : `session: ${meaningOf(name)}`;
  const record: JsonObject = parsed?.ok ? { record: parsed.value } : {};
  yield {
    row_type: refused ? 'permission' : 'session',
    text: `${head}${pairs({ file: name })}${text === '' ? '' : `: ${text}`}`,
    time: noted ?? artifact.mtime,
    origin: 'automatic',
    decision: refused ? 'denied' : '',
    decided_by: refused ? 'hook' : '',
    ...projectOf(artifact),
    problem: problems(whole.problem, parsed !== undefined && !parsed.ok && parsed.problem),
    details: { ...record, ...intentOf(artifact) },
  };
}

function meaningOf(name: string): string {
  if (name.endsWith('.last')) return `hook ran hook=${name.slice(0, -5)}`;
  if (name.endsWith('.noop')) return `hook found nothing to do hook=${name.slice(0, -5)}`;
  if (name === 'human-turn') return 'a person took a turn';
  return name === 'intents.json' ? 'register of intents' : 'mark of the engine';
}
