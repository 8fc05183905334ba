/** The facets of the timeline: which column each counts, and how its values are called. */
import type { HotName } from '../../format.js';
import { type Raw, rawOf } from '../text/raw.js';
import type { Numbers } from './hot-block.js';
import { LEVELS } from './tables.js';
import type { Timeline } from './timeline.js';

export interface Facet {
  /** Its name in the fragment. */
  readonly key: string;
  readonly label: string;
  readonly of: Numbers;
  readonly values: readonly Raw[];
}

const COLUMNS: readonly (readonly [key: string, label: string, column: HotName])[] = [
  ['kind', 'Kind', 'row_type'],
  ['agent', 'Agent', 'agent'],
  ['user', 'User', 'user'],
  ['host', 'Host', 'host'],
  ['origin', 'Origin', 'origin'],
  ['tool', 'Tool', 'tool_name'],
  ['decision', 'Decision', 'decision'],
  ['status', 'Status', 'status'],
  ['outcome', 'Outcome', 'outcome'],
  ['recovered', 'Recovered from', 'recovered'],
  ['model', 'Model', 'model'],
  ['secret', 'Secrets by rule', 'secret_rules'],
  ['project', 'Project', 'project_path'],
  ['timefrom', 'Time from', 'timestamp_source'],
  ['file', 'File', 'source_file'],
];

export const FACET_KEYS: readonly string[] = ['kind', 'finding-level', ...COLUMNS.slice(1).map(([key]) => key), 'copies'];

/** `levels`: of findings, row by row; absent until the tables are there. Facets with one value only tell nothing and are left out. */
export function facetsOf(timeline: Timeline, levels: Uint8Array<ArrayBuffer> | null): Facet[] {
  const columns = COLUMNS.map(([key, label, column]): Facet => ({ key, label, ...timeline.words(column) }));
  const [kind, ...others] = columns.filter(({ values }) => values.length > 1);
  const found: Facet[] =
    levels === null ? [] : [{ key: 'finding-level', label: 'Findings', of: levels, values: ['', ...LEVELS].map(rawOf) }];
  return [...(kind === undefined ? [] : [kind]), ...found, ...others, copiesOf(timeline)];
}

function copiesOf(timeline: Timeline): Facet {
  const of = Uint8Array.from(timeline.words('duplicate').of, (duplicate) => (duplicate === 0 ? 1 : 2));
  return { key: 'copies', label: 'Copies', of, values: ['', 'first', 'copy of another row'].map(rawOf) };
}
