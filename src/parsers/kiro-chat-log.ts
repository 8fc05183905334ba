import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import type { FileParser } from './parser.js';
import { readNumbered } from './q-log.js';
import { type LogBody, logRows } from './trace-log.js';

// kiro-chat.log of Kiro CLI (v1 and v2 engines): records of its own doing, in the folder for temporary files, or wherever
// KIRO_CHAT_LOG_FILE pointed. It proves errors and, at a raised level, what the program did and when. The default level
// writes little, so silence proves nothing. It holds no session id and no directory unless a message names one.
// No file has been seen: the layout is that of its predecessor (q-log.ts), with or without the number of the source line.
// Versions: not known. Evidence: L4; ancestor aws/amazon-q-developer-cli: crates/chat-cli/src/logging.rs.

const BODY = /^([\w:.-]{1,200}): (.*)$/s;

export const kiroChatLog: FileParser = { id: 'kiro-chat-log', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  yield* logRows(source, { read: readBody, otherwise: 'no target' });
}

function readBody(text: string): LogBody | undefined {
  const numbered = readNumbered(text);
  if (numbered !== undefined) return numbered;
  const [, target, message = ''] = BODY.exec(text) ?? [];
  return target === undefined ? undefined : { spans: undefined, target, line: undefined, message };
}
