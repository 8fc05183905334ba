import { type JsonObject, parseJson } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { tameJson } from '../tame-json.js';
import { firstText } from './sessions.js';
import { nameOf, projectOf, wholeText } from './text.js';

// aidlc/.aidlc-sessions/kiro-ide-pending/: one file for each call the guard let through whose end it has not yet dealt with: the
// target of a write as it was before (size, time, hash), or the command. It proves that the call was announced and let through;
// it cannot show that it ran. Files are removed at the next hook: those that are left belong to the last calls.
// Evidence: L4, awslabs/aidlc-workflows: harness/kiro-ide. The names of the fields are not known; the record is kept whole.

export const aiDlcPending: FileParser = { id: 'ai-dlc-pending', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const whole = yield* wholeText(source, 'pending call');
  if (whole === undefined) return;
  const parsed = parseJson(Buffer.from(whole.text));
  const value: unknown = parsed.ok ? parsed.value : undefined;
  if (value !== undefined) tameJson(value);
  const command = firstText(value, ['command', 'cmd']);
  const path = firstText(value, ['file', 'path', 'target', 'file_path', 'filePath', 'targetFile']);
  const tool = firstText(value, ['tool_name', 'toolName', 'tool']);
  const details: JsonObject = { file: nameOf(artifact), ...(parsed.ok ? { record: value } : {}) };
  yield {
    row_type: 'tool_use',
    text: whole.text,
    time: artifact.mtime,
    origin: 'agent',
    session_id: firstText(value, ['session_id', 'sessionId']),
    tool_name: tool,
    command,
    file_paths: path === '' ? [] : [path],
    ...projectOf(artifact),
    problem: problems(
      whole.problem,
      !parsed.ok && `not JSON (${parsed.problem})`,
      `let through by the guard${pairs({ by: 'hook' })}; whether it ran is not recorded here`,
    ),
    details,
  };
}
