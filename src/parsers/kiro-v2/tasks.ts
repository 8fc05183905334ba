import { compact, parseJson } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft, showBytes } from '../../rows/problem.js';
import type { FileParser } from '../parser.js';
import { wholeFile } from '../whole-file.js';
import { sessionIdOf } from './names.js';

// .kiro/sessions/cli/<uuid>/tasks/* of Kiro CLI: the todo list of one session. No file has been seen: the whole content is
// given as one row, dated by the file. It shows what the model planned; not that it was done.
// Versions: v2 engine. Evidence: L4, BoosterY/kiro-session: references/kiro-cli-reference.md names the folder.

export const kiroV2Tasks: FileParser = { id: 'kiro-v2-tasks', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const columns = { session_id: artifact.file.split('/').map(sessionIdOf).findLast(Boolean) ?? '', time: artifact.mtime };
  const bytes = wholeFile(source);
  if (bytes === undefined) yield { ...errorDraft(`task file of ${source.size} bytes is too large to be read as one document`), ...columns };
  else if (bytes.length === 0) yield { ...errorDraft('task file: empty file (0 bytes)'), ...columns };
  else {
    const parsed = parseJson(bytes);
    const sound = parsed.ok && parsed.validUtf8;
    const problem = sound ? 'the form of this file is not known: it is shown as stored' : 'not JSON: the file is shown as text';
    yield { row_type: 'session', text: `task file: ${sound ? compact(parsed.value) : showBytes(bytes)}`, ...columns, problem };
  }
}
