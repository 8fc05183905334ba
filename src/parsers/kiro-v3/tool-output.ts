import { isUtf8 } from 'node:buffer';
import { type FileSource, TooLargeError } from '../../evidence/source.js';
import { decodeUtf8 } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { sessionPlace } from './place.js';
import { exitCodeOf, outcomeOf } from './shell-output.js';

// sessions/<bucket>/<id>/tool-outputs/<tool>-<8 hex digits>.txt: results of 30 000 and more characters, saved whole; the log of
// the session holds their beginning and end only and names the file.
// They prove what a tool gave back. They cannot show which call it was or when: the log tells, where it names the file.
// Versions: 2.22.0 always, before that under a switch. Evidence: L4, field lists read from the bundle by others.

const NAME = /^(.+)-[0-9a-f]{8}\.txt$/i;

export const kiroV3ToolOutput: FileParser = { id: 'kiro-v3-tool-output', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { session, below } = sessionPlace(source.artifact.file);
  const file = below.at(-1) ?? '';
  const columns = { session_id: session };
  const bytes = contentOf(source);
  if (bytes === undefined) {
    yield { ...errorDraft(`tool output of ${source.size} bytes is too large to be read`), ...columns, details: { file } };
    return;
  }
  const valid = isUtf8(bytes);
  const text = valid ? decodeUtf8(bytes).text : showBytes(bytes);
  const tool = NAME.exec(file)?.[1] ?? '';
  const exitCode = exitCodeOf(tool, text);
  yield {
    row_type: 'tool_result',
    text,
    tool_name: tool,
    status: 'unknown',
    outcome: outcomeOf(exitCode, false),
    exit_code: exitCode,
    ...columns,
    problem: problems(!valid && 'not valid UTF-8: each damaged byte is written as \\xNN', bytes.length === 0 && 'the file is empty'),
    details: { file },
    identity: file === '' ? undefined : `kiro-v3\u0000tool-output\u0000${file}`,
  };
}

function contentOf(source: FileSource): Buffer | undefined {
  try {
    return source.bytes();
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}
