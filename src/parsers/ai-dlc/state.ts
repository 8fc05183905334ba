import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { intentOf, projectOf, wholeText } from './text.js';

// aidlc-state.md: where a workflow stands, as Markdown fields and check boxes of stages; rewritten at each step, so that only the
// last state is there. The guard policy in it is a setting of the project: off or relaxed, no gate stopped the agent.
// Check boxes: [ ] open, [-] running, [?] waits for an answer, [R] sent back, [x] done, [S] skipped.
// Evidence: L4, awslabs/aidlc-workflows: docs/guide/10-state-and-audit.md.

export const aiDlcState: FileParser = { id: 'ai-dlc-state', container: 'file', parse };

const FIELD = /^(?:[-*]\s+)?\*\*([^*]{1,100})\*\*:\s?(.*)$/;
const STAGE = /^\s*[-*]\s+\[([ \-?RxXS])\]\s+(.+)$/;
const POLICY = /^(?:Guard Policy|Change Control)$/i;

function* parse(source: FileSource): Generator<Draft> {
  const whole = yield* wholeText(source, 'AI-DLC state');
  if (whole === undefined) return;
  const { artifact } = source;
  const fields: [string, string][] = [];
  const stages: { mark: string; stage: string }[] = [];
  const policies: { key: string; value: string; line: number }[] = [];
  for (const [i, line] of whole.text.split(/\r?\n/).entries()) {
    const [, key, value = ''] = FIELD.exec(line) ?? [];
    const [, mark, stage = ''] = STAGE.exec(line) ?? [];
    if (key !== undefined) fields.push([key, value]);
    if (mark !== undefined) stages.push({ mark, stage });
    if (key !== undefined && POLICY.test(key)) policies.push({ key, value, line: i + 1 });
  }
  const known = new Map(fields.map(([key, value]) => [key.toLowerCase(), value]));
  const shown = pairs({ stage: known.get('current stage'), status: known.get('status'), stages: stages.length });
  const columns = { time: artifact.mtime, origin: 'automatic', ...projectOf(artifact) } as const;
  yield {
    row_type: 'session',
    text: `session: workflow state${shown}: ${whole.text}`,
    ...columns,
    problem: problems(whole.problem, fields.length === 0 && stages.length === 0 && 'no field and no stage could be read'),
    details: { fields, stages, ...intentOf(artifact) },
  };
  for (const { key, value, line } of policies) {
    yield { row_type: 'config', text: `config: ${key}=${value}`, ...columns, source_line: line, details: intentOf(artifact) };
  }
}
