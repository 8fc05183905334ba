import { parseJson } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { tameJson } from '../tame-json.js';
import { intentOf, nameOf, projectOf, wholeText } from './text.js';

// project-description.json: the request a workflow began with, exactly as the person gave it, as one JSON text.
// .aidlc-request-text/: requests that could not go through a command line; the agent writes them with its file tool, so that the
// words need not be the person's own. Neither holds a time: that of the file is its last writing.
// Evidence: L4, awslabs/aidlc-workflows: docs/guide/14-artifacts-reference.md, harness/kiro-ide.

export const aiDlcRequest: FileParser = { id: 'ai-dlc-request', container: 'file', parse };

const DESCRIPTION = 'project-description.json';

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const whole = yield* wholeText(source, 'AI-DLC request');
  if (whole === undefined) return;
  const described = nameOf(artifact).toLowerCase() === DESCRIPTION;
  const parsed = described ? parseJson(Buffer.from(whole.text)) : undefined;
  if (parsed?.ok) tameJson(parsed.value);
  const text = parsed?.ok && typeof parsed.value === 'string' ? parsed.value : whole.text;
  const exact = parsed?.ok === true && typeof parsed.value === 'string';
  yield {
    row_type: 'prompt',
    text,
    time: artifact.mtime,
    origin: exact ? 'typed' : 'unknown',
    ...projectOf(artifact),
    problem: problems(
      whole.problem,
      parsed !== undefined && !parsed.ok && `not the JSON text it should be (${parsed.problem})`,
      parsed?.ok === true && !exact && 'not a JSON text: the file is shown as it is',
    ),
    details: { ...(parsed?.ok === true && !exact ? { record: parsed.value } : {}), ...intentOf(artifact) },
  };
}
