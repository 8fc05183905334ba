import { z } from 'zod';
import { compact, isObject, type JsonObject } from '../evidence/json.js';
import type { Artifact, FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { fromEpochMs, type Instant, toUtcText } from '../rows/time.js';
import { problems, readObject, typed, unknownFields } from './json-store.js';
import type { FileParser } from './parser.js';

// .amazonq/cli-todo-lists/<id>.json of Amazon Q Developer CLI: a list the model keeps while it works in a directory.
// It proves what the model planned and ticked off, and which files it said it changed. The id is the creation time in
// Unix ms; nothing else in it is dated, the file time is that of the last update. `context` and `modified_files` are the
// model's own words: they do not prove that a file was changed. It cannot show the session or when a task was done.
// Versions: from 1.15.0. Evidence: L1, aws/amazon-q-developer-cli: crates/chat-cli/src/cli/chat/tools/todo.rs;
// one real file seen.

const ListSchema = z.looseObject({
  id: z.string().nullish(),
  description: z.string().nullish(),
  tasks: z.array(z.unknown()).nullish(),
  context: z.array(z.unknown()).nullish(),
  modified_files: z.array(z.unknown()).nullish(),
});
type TodoList = z.output<typeof ListSchema>;

// An id outside of these years is no time of this program.
const EARLIEST = Date.UTC(2020, 0);
const LATEST = Date.UTC(2100, 0);

export const qTodo: FileParser = { id: 'q-todo', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'todo list');
  if (!stored) return;
  const { artifact } = source;
  const { fields, problem } = typed(ListSchema, stored);
  const project = { project_path: artifact.inProject ? artifact.base : '' };
  const list = listRow(fields, stored, artifact);
  yield { ...list, ...project, problem: problems(problem, list.problem) };
  for (const [index, task] of (fields.tasks ?? []).entries()) yield { ...taskRow(task), ...project, source_pointer: step('/tasks', index) };
  for (const [index, text] of (fields.context ?? []).entries()) {
    yield { row_type: 'context', text: compact(text), origin: 'agent', ...project, source_pointer: step('/context', index) };
  }
  for (const row of fileRows(fields.modified_files ?? [])) yield { ...row, ...project };
}

function listRow(fields: TodoList, stored: JsonObject, artifact: Artifact): Draft {
  const id = fields.id ?? '';
  const tasks = fields.tasks ?? [];
  const time = creation(id);
  const done = tasks.filter((task) => isObject(task) && task.completed === true).length;
  const shown = new Set(Object.keys(ListSchema.shape).filter((key) => (fields[key] ?? undefined) !== undefined));
  return {
    row_type: 'session',
    text: `todo list: id=${id} tasks=${tasks.length} completed=${done}: ${fields.description ?? ''}`,
    time,
    problem: problems(
      !time && 'the id is not a creation time in Unix ms',
      !artifact.file.endsWith(`/${id}.json`) && 'the id differs from the file name',
    ),
    details: {
      ...(artifact.mtime ? { last_update: toUtcText(artifact.mtime.ms), last_update_source: 'file_mtime' } : {}),
      ...Object.fromEntries(unknownFields(stored, shown)),
    },
  };
}

function creation(id: string): Instant | undefined {
  const ms = /^\d{13}$/.test(id) ? Number(id) : Number.NaN;
  return ms >= EARLIEST && ms < LATEST ? fromEpochMs(ms, 'record') : undefined;
}

function taskRow(task: unknown): Draft {
  if (!isObject(task))
    return { row_type: 'session', text: `todo task: completed=unknown: ${compact(task)}`, problem: 'the task is not a JSON object' };
  const { task_description, completed, ...rest } = task;
  const sound = typeof task_description === 'string' && typeof completed === 'boolean';
  return {
    row_type: 'session',
    text: `todo task: completed=${completed === undefined ? 'unknown' : compact(completed)}: ${compact(task_description)}`,
    problem: sound ? '' : 'task_description or completed is missing or of another type',
    details: rest,
  };
}

/** The program appends to the list at each change: one row per file, with how often it stands there. */
function* fileRows(files: readonly unknown[]): Generator<Draft> {
  const seen = new Map<string, { first: number; times: number }>();
  for (const [index, file] of files.entries()) {
    const path = compact(file);
    const entry = seen.get(path);
    if (entry) entry.times += 1;
    else seen.set(path, { first: index, times: 1 });
  }
  for (const [path, { first, times }] of seen) {
    yield {
      row_type: 'file',
      text: `file named as modified by todo list: ${path}`,
      origin: 'agent',
      file_paths: [path],
      details: { times },
      source_pointer: step('/modified_files', first),
    };
  }
}
