import picomatch from 'picomatch';
import type { Row } from '../rows/row.js';
import type { RowType } from '../rows/row-types.js';

export interface FilterOptions {
  /** UTC texts in the form of `timestamp_utc`; `until` is exclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly keepUndated: boolean;
  readonly rowTypes: readonly RowType[];
  readonly sessions: readonly string[];
  readonly projects: readonly string[];
}

/** Name of the filter that drops a row, or undefined for a row that stays. */
export type Filter = (row: Row) => string | undefined;

/** Error rows always stay: a filter must not hide that evidence could not be read. */
export function makeFilter(options: FilterOptions): Filter {
  const { since, until, keepUndated } = options;
  const types = new Set<string>(options.rowTypes);
  const sessions = new Set(options.sessions);
  const projects = options.projects.map((pattern) => picomatch(slashes(pattern), { dot: true }));
  return (row) => {
    if (row.row_type === 'error') return undefined;
    if (types.size > 0 && !types.has(row.row_type)) return 'row-type';
    if (sessions.size > 0 && !sessions.has(row.session_id)) return 'session';
    if (projects.length > 0 && !projects.some((matches) => matches(slashes(row.project_path)))) return 'project';
    if (since === undefined && until === undefined) return undefined;
    if (row.timestamp_utc === '') return keepUndated ? undefined : 'undated';
    if (since !== undefined && row.timestamp_utc < since) return 'since';
    return until !== undefined && row.timestamp_utc >= until ? 'until' : undefined;
  };
}

const slashes = (path: string) => path.replaceAll('\\', '/');
