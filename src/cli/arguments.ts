/** Values of options that several commands share. */
import { fromRfc3339, toUtcText } from '../rows/time.js';
import { UsageError } from '../write/usage-error.js';

export function workersOf(value: number | undefined): number | undefined {
  if (value !== undefined && (!Number.isInteger(value) || value < 0 || value > 64))
    throw new UsageError('--workers: a whole number from 0 to 64');
  return value;
}

/** A point in time as the text that `timestamp_utc` holds. */
export function timeOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const time = fromRfc3339(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value, 'none');
  if (time === undefined)
    throw new UsageError(`${option}: not a time with offset: ${value} (for example 2025-11-14T09:00:00Z, or 2025-11-14)`);
  return toUtcText(time.ms);
}
