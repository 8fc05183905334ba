import type { Row } from '../../rows/row.js';
import { sessionKey } from './page-rows.js';

/** Titles of sessions, as the rows of their stores name them. */
export class Titles {
  private readonly titles = new Map<string, string>();

  /** The last one named counts: a session is first called something else. */
  add(row: Row): void {
    if (row.row_type !== 'session' || row.session_id === '' || row.duplicate_of !== '') return;
    const title = titleOf(row);
    if (title !== '') this.titles.set(sessionKey(row), title);
  }

  of(session: { readonly host: string; readonly user: string; readonly session_id: string }): string {
    return this.titles.get(sessionKey(session)) ?? '';
  }
}

/** The start of a session of the second engine carries its title in the text alone. */
const START = /^session: start[^:]{0,2000}: /;

function titleOf({ agent, text, details }: Row): string {
  // The audit of AI-DLC calls the name of an event its title.
  if (agent === 'ai-dlc') return '';
  if (typeof details.title === 'string') return details.title;
  const start = START.exec(text);
  return start === null ? '' : text.slice(start[0].length);
}
