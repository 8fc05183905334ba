import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { excerpt } from '../rows/problem.js';
import { storeColumns } from './json-store.js';
import type { FileParser } from './parser.js';

// HEAD of a shadow git repository of Amazon Q Developer CLI, in a folder named after its conversation.
// The program keeps one while a session with checkpoints runs and deletes it when the session ends in order, so a folder
// that is left behind proves a session with checkpoints that ended by a crash, a kill or a power loss (or still ran when
// the copy was made). Its commits (author `Q <qcli@local>`, one tag per checkpoint) hold the project's files as the agent
// left them; git objects are not read here. The time is that of HEAD, which git writes when it makes the repository.
// Versions: from 1.17.0, experimental. Evidence: L1,
// aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/checkpoint.rs.

const HEAD_LIMIT = 4096;

export const qCheckpointRepository: FileParser = { id: 'q-checkpoint-repository', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const head = Buffer.from(source.read(0, HEAD_LIMIT));
  const reference = /^(?:ref: refs\/|[0-9a-f]{40,64}\s*$)/.test(head.toString('latin1'));
  yield {
    row_type: 'session',
    text: 'session: checkpoint repository left behind',
    session_id: source.artifact.file.split('/').at(-2) ?? '',
    problem: reference ? '' : 'HEAD holds no reference: the repository is damaged, or is none',
    details: { head: excerpt(head), size: source.size },
    ...storeColumns(source.artifact),
  };
}
