import { z } from 'zod';
import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { fromEpochMs } from '../../rows/time.js';
import { type JsonRecord, jsonLines } from '../json-lines.js';
import { pairs, problems, typed, unknownFields } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { SessionFolders } from './session-folders.js';

// .kiro/session-index/<bucket>.jsonl: which sessions were added to and removed from the list of a workspace, one a line.
// It proves that a session existed at that time, also when its folder has since been deleted: the folders are set against it. It
// cannot show who removed a session; those of the IDE may be missing from it.
// Versions: 2.15.1 and later; `remove` was never seen. Evidence: L4, one public reader.

const EntrySchema = z.looseObject({ op: z.string().nullish(), sessionPath: z.string().nullish(), at: z.number().nullish() });

export const kiroSessionIndex: FileParser = { id: 'kiro-session-index', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const folders = new SessionFolders(source);
  for (const content of jsonLines(source, { begin: '{"op":' })) {
    if ('error' in content) yield content.error;
    else {
      const row = entryRow(content.record);
      yield row;
      const removed = isObject(content.record.value) && content.record.value.op === 'remove';
      folders.list(row.session_id ?? '', { source_line: row.source_line ?? 0, source_offset: row.source_offset ?? null }, removed);
    }
  }
  yield* folders.mismatches(true);
}

function entryRow({ value, place, problem: doubt, damaged }: JsonRecord): Draft {
  if (!isObject(value)) return errorDraft('not an entry of a session index', '', { ...place, details: { value } });
  const { fields, problem } = typed(EntrySchema, value);
  const path = fields.sessionPath ?? '';
  const time = fromEpochMs(fields.at, 'record');
  return {
    row_type: 'session',
    text: `session: listed in index${pairs({ op: fields.op, path })}`,
    time,
    session_id: path.split(/[\\/]/).filter(Boolean).at(-1) ?? '',
    ...place,
    ...damaged,
    problem: problems(problem, !time && 'no time is recorded', path === '' && 'no session is named', doubt),
    details: Object.fromEntries(unknownFields(value, new Set(time ? ['at'] : []))),
  };
}
