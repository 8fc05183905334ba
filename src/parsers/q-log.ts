import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import type { FileParser } from './parser.js';
import { type LogBody, logRows } from './trace-log.js';

// qchat.log and mcp.log of Amazon Q Developer CLI: records of its own doing, in the folder for temporary files.
// They prove errors, starts of MCP servers and, at a raised level, requests, answers and tool output, with microseconds.
// The default level is ERROR: silence proves nothing. A file over 10 MiB is deleted at the next start; on a Linux desktop
// the folder is lost at reboot. They hold no session id and no directory unless a message names one.
// Versions: all. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/logging.rs, src/util/paths.rs;
// lines quoted in its issue 1025.

// `[spans: ]target: line: message`; spans may hold anything, so the first target with a number behind it counts.
const BODY = /^(?:(.{1,4096}?): )??([\w:.-]{1,200}): (\d{1,9}):(?: (.*))?$/s;

export const qLog: FileParser = { id: 'q-log', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  yield* logRows(source, { read: readNumbered, otherwise: 'no target and line number' });
}

/** A body with the number of the source line in it. */
export function readNumbered(text: string): LogBody | undefined {
  const [, spans, target, line, message = ''] = BODY.exec(text) ?? [];
  return target === undefined ? undefined : { spans, target, line: line === undefined ? undefined : Number(line), message };
}
