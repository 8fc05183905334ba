import { EVIDENCE_LEVELS, type Store } from '../schema.js';

export const WHOLE =
  'What Amazon Q Developer CLI, Kiro CLI, Kiro IDE, Flow Agents and AI-DLC leave on disk, as kirotrail reads it. Databases come with their logs ' +
  '(-wal, -shm, -journal): without them a copy is an earlier state, or none. Exported chats have any name and lie anywhere; they are not found by path.';

/** How well the store is understood, and whether it is a credential. */
export function markOf({ evidence, secret }: Store): string {
  const warning =
    secret === 'whole-file' ? ' It is a credential, or may hold whole files.' : secret === 'fields' ? ' It may hold credentials.' : '';
  return `Understood at ${evidence}: ${EVIDENCE_LEVELS[evidence]}.${warning}`;
}

/** An id of the catalog as a name: `q-sqlite` is `QSqlite`. */
export const nameOf = ({ id }: Store): string =>
  id
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
