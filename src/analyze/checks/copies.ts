import type { RowView } from '../view.js';
import type { MakeCheck } from './check.js';

const NONE: readonly RowView[] = [];

interface Seen {
  readonly text: string;
  readonly file: string;
  readonly view: RowView;
}

/** Most copies remembered at a time; sessions with copies in several files are few. */
const MOST_SEEN = 100_000;

/**
 * Two files hold the same message with different text. Only whole live texts of prompts and answers count: the programs
 * themselves rewrite calls and results (names of tools they do not know, trimmed results).
 */
export const copiesDiffer: MakeCheck = (survey) => {
  const seen = new Map<string, Seen>();
  const counts = new Map<string, number>();
  return {
    take(view) {
      const { row } = view;
      if (row.message_id === '' || row.recovered !== '' || row.problem !== '') return NONE;
      if ((row.row_type !== 'assistant' && row.row_type !== 'prompt') || !survey.hasCopies(row.session_id)) return NONE;
      // One message can give several rows: the nth of one file is compared with the nth of another.
      const place = `${row.session_id}\u0000${row.message_id}\u0000${row.row_type}`;
      const own = `${place}\u0000${row.source_file}`;
      const nth = counts.get(own) ?? 0;
      const key = `${place}\u0000${nth}`;
      const other = seen.get(key);
      if (seen.size < MOST_SEEN) {
        counts.set(own, nth + 1);
        if (other === undefined) seen.set(key, { text: row.text, file: row.source_file, view });
      }
      return other !== undefined && other.file !== row.source_file && said(other.text) !== said(row.text) ? [other.view, view] : NONE;
    },
  };
};

// Programs drop invisible characters and outer blanks when they store a prompt.
const said = (text: string) => text.replace(/[\p{Cf}\p{Cc}\s]+/gu, ' ').trim();
