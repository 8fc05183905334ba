import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { namesBeside, WHY_MISSING } from '../beside.js';

const RUNS = 'sub-executions';
const OUTPUTS = 'tool-outputs';

/** Files of a session that its log points to: runs of sub-agents and results saved whole. */
export class SessionParts {
  private readonly runs: ReadonlySet<string>;
  private readonly outputs: ReadonlySet<string>;
  /** False for a log that was handed over alone: then nothing can be missing. */
  private readonly known: boolean;
  private readonly named = new Set<string>();

  constructor(source: FileSource) {
    this.known = namesBeside(source, '.') !== undefined;
    this.runs = namesBeside(source, RUNS) ?? new Set();
    this.outputs = namesBeside(source, OUTPUTS) ?? new Set();
  }

  /** Notes that a run is named; says so when its log is not there. */
  runProblem(run: string): string {
    const file = `${run}.jsonl`.toLowerCase();
    this.named.add(file);
    return this.known && run !== '' && !this.runs.has(file) ? `the log of this run is not there: ${WHY_MISSING}` : '';
  }

  outputProblem(file: string): string {
    if (!this.known || this.outputs.has(file.toLowerCase())) return '';
    return `the file it points to is not there: never written, ${WHY_MISSING}`;
  }

  /** Logs of runs that no record names. */
  *unnamed(columns: Partial<Draft>): Generator<Draft> {
    for (const file of this.runs) {
      if (!file.endsWith('.jsonl') || this.named.has(file)) continue;
      const problem = 'it is named in the log of another run, or the record that named it is gone';
      yield {
        row_type: 'gap',
        text: `gap: run of a sub-agent not named in the log of the session file=${RUNS}/${file}`,
        ...columns,
        problem,
      };
    }
  }
}
