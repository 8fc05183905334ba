import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, readObject } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { textOf } from './schema.js';
import { withColumns } from './with-columns.js';

// sessions/<bucket>/workflows/<id>/workflow-state.json and workflow-definition.json: a run of several sessions as steps;
// workflows/generated: definitions that were made by the program.
// They prove that a workflow was defined and how far it came by the time of the file. Their fields have never been described,
// so the whole record is kept in the details; sessions that are steps name the workflow in their own metadata.
// Versions: 2.15.1 and later. Evidence: L4, the place and purpose only.

export const kiroV3Workflow: FileParser = { id: 'kiro-v3-workflow', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { file, mtime } = source.artifact;
  const parts = file.split('/');
  const generated = parts.some((part) => part.toLowerCase() === 'generated');
  const what = generated || /definition/i.test(parts.at(-1) ?? '') ? 'definition' : 'state';
  const columns = { time: mtime };
  const stored = yield* withColumns(readObject(source, `workflow ${what}`), columns);
  if (!stored) return;
  const id = textOf(stored, 'workflowId') || (parts.at(-2) ?? '');
  const name = textOf(stored, 'workflowName') || textOf(stored, 'name');
  yield {
    row_type: 'session',
    text: `session: workflow ${what}${pairs({ id, name, status: textOf(stored, 'status') })}`,
    ...columns,
    details: stored,
  };
}
