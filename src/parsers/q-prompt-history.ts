import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import type { FileParser } from './parser.js';
import { type TypedLine, typedLines } from './typed-lines.js';

// .cli_bash_history of Amazon Q Developer CLI: what a person typed at the chat prompt and at confirmation questions,
// slash commands and `!` shell commands included; never y, n or t, lines that start with white space, or a repetition.
// It proves that a text was typed. It cannot show when, in which session or project, or whether it was answered; at most
// 100 entries are kept, a killed process saved nothing, and two processes interleave.
// Written by rustyline. With the header `#V2`, `\n` and `\\` are escapes; without it every line, also the first, is an entry
// as written. The vendor's reader refuses the whole file for one line that is not UTF-8; here that line is an error row.
// Versions: from 1.16.0. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/prompt.rs, input_source.rs;
// kkawakam/rustyline v15.0.0: src/history.rs.

export const qPromptHistory: FileParser = { id: 'q-prompt-history', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  for (const entry of typedLines(source, false)) yield 'error' in entry ? entry.error : promptRow(entry);
}

function promptRow({ text, problem, place }: TypedLine): Draft {
  return {
    row_type: 'prompt',
    text,
    origin: 'typed',
    command: text.startsWith('!') ? text.slice(1).trim() : '',
    problem,
    rank: 3,
    textKey: text,
    textOnly: true,
    ...place,
  };
}
