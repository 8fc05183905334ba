import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { jsonLines } from '../json-lines.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { readEvent, type Said } from './event.js';
import { eventRows } from './event-rows.js';
import { flowPlace } from './place.js';

// .kontourai/telemetry/full.jsonl, analytics.jsonl and their rotations: events of Flow Agents, which hooks of Kiro CLI and other
// hosts write. They prove that a session began and ended, that prompts, calls and results happened, with status, outcome, exit
// code and duration of each result as the host gave them. They cannot show, by default, what was said or run: prompts, arguments
// and output are redacted to null, also where there never was such a field. The last message of the assistant is not, in full.jsonl.
// Times are whole seconds. `usage` of a call is that of its whole turn, repeated for each call of it: sums count it twice.
// Both files hold the same events. Versions: schema 0.3.0 and earlier. Evidence: L1, kontourai/flow-agents:
// docs/spec/runtime-hook-surface.md, context/scripts/telemetry.

const HEAD = /^\ufeff?\s*\{(?=[^\n]{0,4000}"event_type"\s*:\s*"[a-z_]{1,40}(?:\.[a-z_]{1,40})?")[^\n]{0,400}"schema_version"\s*:/;

export const flowAgentsTelemetry: FileParser = {
  id: 'flow-agents-telemetry',
  container: 'file',
  echo: 'retold',
  detect: (head) => HEAD.test(head.subarray(0, 8192).toString('utf8')),
  parse,
};

function* parse(source: FileSource): Generator<Draft> {
  const place = flowPlace(source.artifact);
  // A capture holds more. The second file has the same events with less in them: copies of those of the first.
  const rank = /^analytics/i.test(place.name) ? 5 : 4;
  const said: Said = new Map();
  for (const content of jsonLines(source, { begin: '{"schema_version"' })) {
    if ('error' in content) {
      yield { ...content.error, project_path: place.project };
      continue;
    }
    const { value, place: at, problem, damaged } = content.record;
    for (const row of eventRows(readEvent(value), said, at.source_line)) {
      yield {
        ...row,
        project_path: row.project_path || place.project,
        rank,
        ...at,
        ...damaged,
        problem: problems(row.problem, problem),
      };
    }
  }
}
