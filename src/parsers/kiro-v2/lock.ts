import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { names, pairs, problems, readObject } from '../json-store.js';
import { sessionPlace } from '../kiro-v3/place.js';
import type { FileParser } from '../parser.js';
import { named } from './fields.js';
import { fileName, sessionIdOf } from './names.js';
import { sessionTime } from './times.js';

// .kiro/sessions/cli/<uuid>.lock of Kiro CLI: process id and start of the process that has the session open. Deleted when it
// ends; one that is there shows that the process was killed or crashed, or ran when the evidence was taken. It cannot show
// which of them, nor when the process ended.
// sessions/<bucket>/<id>/.lock of the v3 engine holds the process id alone.
// Versions: v2 engine. Evidence: L4, neochoon/agenthud: docs/schemas/kiro-session.md, one sample.

const KNOWN = new Set(['pid', 'started_at']);

export const kiroV2Lock: FileParser = { id: 'kiro-v2-lock', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const name = fileName(source.artifact);
  const session_id = name.toLowerCase() === '.lock' ? sessionPlace(source.artifact.file).session : sessionIdOf(name);
  for (const row of rowsOf(source)) yield { ...row, session_id };
}

function* rowsOf(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'session lock');
  if (!stored) return;
  const { pid, started_at, ...rest } = stored;
  const time = sessionTime(started_at);
  const unknown = Object.keys(stored).filter((key) => !KNOWN.has(key));
  yield {
    row_type: 'session',
    text: `session: lock left behind${pairs({ pid })}`,
    time,
    problem: problems(
      'the process ended without cleaning up, or was running when the file was copied',
      !time && 'the lock holds no time that can be read',
      unknown.length > 0 && `unknown fields: ${names(unknown)}`,
    ),
    details: {
      ...(pid === undefined ? {} : { pid }),
      ...(time || started_at === undefined ? {} : { started_at }),
      ...named('fields', rest),
    },
  };
}
