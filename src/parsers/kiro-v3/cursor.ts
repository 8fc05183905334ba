import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, problems, readObject } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { wholeFile } from '../whole-file.js';
import { sessionPlace } from './place.js';
import { withColumns } from './with-columns.js';

// publish.cursor and publish-sub.cursor of a v3 session: how far its log, and those of its sub-agents, went to the vendor.
// They prove that the log was uploaded up to that byte by the time of the file; they cannot show where to, or earlier states.
// Versions: 2.15.1 and later. Evidence: L4, field lists read from the bundle of engine 2.15.1 by others.

const CURSOR = /^(\d{1,15}):(\d{1,15})$/;
const SUB_AGENTS = 'publish-sub.cursor';

export const kiroV3Cursor: FileParser = { id: 'kiro-v3-cursor', container: 'file', parse };

interface Cursor {
  readonly offset: number;
  readonly seq: number;
}

function* parse(source: FileSource): Generator<Draft> {
  const { session, below } = sessionPlace(source.artifact.file);
  const columns = { session_id: session, time: source.artifact.mtime };
  if ((below.at(-1) ?? nameOf(source)).toLowerCase() === SUB_AGENTS) {
    yield* subAgents(source, columns);
    return;
  }
  const cursor = lastCursor(source);
  if (cursor) yield { ...uploadRow(cursor, ''), ...columns };
  else yield { ...errorDraft('upload cursor is not <offset>:<number>', source.read(0, 200)), ...columns };
}

const nameOf = ({ artifact }: FileSource) => artifact.file.slice(artifact.file.lastIndexOf('/') + 1);

/** The cursor a file holds; undefined when there is none, or the file is no cursor. */
export function lastCursor(source: FileSource | undefined): Cursor | undefined {
  if (source === undefined) return undefined;
  const match = CURSOR.exec((wholeFile(source)?.toString('utf8', 0, 100) ?? '').trim());
  return match ? { offset: Number(match[1]), seq: Number(match[2]) } : undefined;
}

function uploadRow({ offset, seq }: Cursor, run: string): Draft {
  return {
    row_type: 'session',
    text: `session: uploaded to the vendor up to offset=${offset} seq=${seq}${pairs({ sub_session: run })}`,
    origin: 'automatic',
  };
}

function* subAgents(source: FileSource, columns: Pick<Draft, 'session_id' | 'time'>): Generator<Draft> {
  const stored = yield* withColumns(readObject(source, 'upload cursor of sub-agents'), columns);
  for (const [run, value] of Object.entries(stored ?? {})) {
    const { byteOffset, seq, ...others } = isObject(value) ? value : {};
    const sound = typeof byteOffset === 'number' && typeof seq === 'number';
    const row = sound ? uploadRow({ offset: byteOffset, seq }, run) : undefined;
    yield {
      row_type: 'session',
      text: `session: uploaded to the vendor up to offset=unknown seq=unknown${pairs({ sub_session: run })}`,
      ...row,
      ...columns,
      source_pointer: step('', run),
      problem: problems(!sound && 'no offset and number'),
      details: sound ? { sub_session_id: run, ...others } : { sub_session_id: run, value },
    };
  }
}
