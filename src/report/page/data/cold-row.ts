/** The columns of one row that are fetched only when somebody looks at it. */
import { COLD_COLUMNS } from '../../format.js';
import { type Raw, rawOf } from '../text/raw.js';

export type ColdName = (typeof COLD_COLUMNS)[number];

export class ColdRow {
  constructor(private readonly values: readonly unknown[]) {}

  /** The value as text: a list joined, an object as JSON, null and missing as ''. */
  text(name: ColdName): Raw {
    const value = this.values[COLD_COLUMNS.indexOf(name)];
    if (value === null || value === undefined) return rawOf('');
    return rawOf(typeof value === 'string' ? value : JSON.stringify(value));
  }

  list(name: 'file_paths'): Raw[] {
    const value = this.values[COLD_COLUMNS.indexOf(name)];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string').map(rawOf) : [];
  }

  /** Details of the row by key, each as text. */
  details(): [Raw, Raw][] {
    const value = this.values[COLD_COLUMNS.indexOf('details')];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).map(([key, one]) => [rawOf(key), rawOf(typeof one === 'string' ? one : JSON.stringify(one))]);
  }
}
