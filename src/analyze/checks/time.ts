import type { Row } from '../../rows/row.js';
import type { MakeCheck } from './check.js';

const NONE: readonly never[] = [];

/** Clocks differ and stores round: smaller steps back are not worth a word. Milliseconds. */
const BACKWARDS_BY = 60_000;
const OLDER_BY = 60_000;
const FUTURE_BY = 3_600_000;

// Other row types carry times of their own making: approvals and session rows of some stores are not written in order.
const IN_ORDER: ReadonlySet<Row['row_type']> = new Set(['prompt', 'assistant', 'tool_use', 'tool_result']);
const RECORDED: ReadonlySet<Row['timestamp_source']> = new Set(['message', 'request_start', 'stream_end', 'record']);

/** The rows of one session in one file, in the order in which they are stored, should not go back in time. */
export const timeBackwards: MakeCheck = () => {
  // Times have one form, so their order is that of their texts.
  const latest = new Map<string, string>();
  return {
    take(view) {
      const { row } = view;
      if (row.timestamp_utc === '' || row.recovered !== '' || !IN_ORDER.has(row.row_type) || !RECORDED.has(row.timestamp_source))
        return NONE;
      const key = `${row.session_id}\u0000${row.source_file}`;
      const last = latest.get(key);
      if (last === undefined || row.timestamp_utc >= last) {
        latest.set(key, row.timestamp_utc);
        return NONE;
      }
      return Date.parse(last) - Date.parse(row.timestamp_utc) > BACKWARDS_BY ? [view] : NONE;
    },
  };
};

/** A file cannot be older than what stands in it, unless its time or a record's was set. */
export const fileOlderThanContent: MakeCheck = () => ({
  take(view) {
    const { row, file_mtime } = view;
    if (row.timestamp_utc === '' || file_mtime === '' || row.timestamp_source === 'file_mtime' || row.recovered !== '') return NONE;
    if (row.timestamp_utc <= file_mtime) return NONE;
    return Date.parse(row.timestamp_utc) - Date.parse(file_mtime) > OLDER_BY ? [view] : NONE;
  },
});

/** A record dated after the evidence was read. */
export const inTheFuture: MakeCheck = () => ({
  take(view) {
    const { row, collected_at } = view;
    if (row.timestamp_utc === '' || collected_at === '') return NONE;
    if (row.timestamp_utc <= collected_at) return NONE;
    return Date.parse(row.timestamp_utc) - Date.parse(collected_at) > FUTURE_BY ? [view] : NONE;
  },
});
