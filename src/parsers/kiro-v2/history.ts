import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import type { RowType } from '../../rows/row-types.js';
import { commandRows } from '../conversation/commands.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { type TypedLine, typedLines } from '../typed-lines.js';
import { fileName, sessionIdOf } from './names.js';

// .kiro/sessions/cli/<uuid>.history of Kiro CLI: the lines typed at the prompt of one session, oldest first, slash commands
// included. Written when the prompt ends. It proves that a text was typed in the session, also when the journal lost it: a
// process that died during its first answer left the prompt nowhere else. It cannot show when, or whether it was answered; at
// most 100 entries are kept, and no empty one and no repetition of the entry before.
// Whether a backslash is escaped is not known: a line that holds one is also kept as it stands.
// Versions: v2 engine. Evidence: L4, Dicklesworthstone/cross_agent_session_resumer: src/providers/kiro.rs, one sample.

const TRANSCRIPT = 'source=transcript';
const HISTORY = 'source=history';

export const kiroV2History: FileParser = { id: 'kiro-v2-history', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const session_id = sessionIdOf(fileName(source.artifact));
  for (const entry of typedLines(source, true)) {
    if ('error' in entry) yield { ...entry.error, session_id };
    else for (const row of entryRows(entry)) yield { ...row, session_id, ...entry.place };
  }
}

function* entryRows({ text, written, problem }: TypedLine): Generator<Draft> {
  const line = text === written ? {} : { line: written };
  const make = (row_type: RowType, shown: string, columns: Omit<Draft, 'row_type' | 'text'>): Draft => {
    const row = { row_type, rank: 2, ...columns, problem: problems(columns.problem, problem) };
    if (row_type === 'prompt') return { ...row, text: shown, textOnly: true, details: line };
    // A name or a line shown behind the head may hold the same words.
    return { ...row, text: row_type === 'gap' ? shown.replace(TRANSCRIPT, HISTORY) : shown.replace(/source=transcript$/, HISTORY) };
  };
  // Whether an answer followed is known to the journal, not here.
  yield* commandRows(text, true, make);
}
