/** A worker thread: reads units, encodes their rows into a run file of its own, and sends the index of each task. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Snapshot } from '../evidence/sqlite.js';
import { messageOf } from '../rows/problem.js';
import { RunFile } from '../write/run-file.js';
import { type EncodingCounts, encodingOf } from './encoding.js';
import { makeFilter } from './filter.js';
import { RowSecrets } from './row-secrets.js';
import { RowSink } from './sink.js';
import type { TaskReport, UnitReport, UnitTask, WorkerSettings } from './task.js';
import { readUnit } from './unit.js';

const settings: WorkerSettings = workerData;
const encoding = encodingOf(settings.encoding);
const runFile = new RunFile(settings.runFile.folder, settings.runFile.name);
const filter = makeFilter(settings.filter);
const secrets = settings.secrets && new RowSecrets(settings.secrets);
const snapshots = new Map<string, Snapshot>();

async function perform(tasks: readonly UnitTask[]): Promise<TaskReport> {
  const sink = new RowSink(encoding.line, runFile, filter, secrets, settings.echoes);
  const before = encoding.counts();
  const units: UnitReport[] = [];
  for (const task of tasks) units.push(await readUnit(task, sink, snapshots));
  const tables = sink.finish();
  runFile.flush();
  return {
    units,
    tables,
    counts: sink.counts,
    changed: since(before, encoding.counts()),
    secrets: secrets?.harvest(),
  };
}

/** What was counted since. */
function since(before: EncodingCounts, after: EncodingCounts): EncodingCounts {
  return Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - (before[name] ?? 0)]));
}

parentPort?.on('message', (message: { readonly id: number; readonly tasks: readonly UnitTask[] }) => {
  perform(message.tasks).then(
    (report) => parentPort?.postMessage({ id: message.id, report }),
    (error: unknown) => parentPort?.postMessage({ id: message.id, failed: messageOf(error) }),
  );
});
