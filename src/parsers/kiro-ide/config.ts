import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import { decodeUtf8 } from '../../evidence/text.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { errorDraft } from '../../rows/problem.js';
import { pairs, readObject } from '../json-store.js';
import { withColumns } from '../kiro-v3/with-columns.js';
import type { FileParser } from '../parser.js';
import { textOf } from './fields.js';
import { idePlace } from './place.js';
import { pathOfUri } from './state.js';
import { withheld } from './withhold.js';

// Small files of the IDE: kiro.kiroagent/config.json (context providers), profile.json (ARN of the service profile, which holds the
// AWS account), .continuerc.json (inherited), workspaceStorage/<hash>/workspace.json (a folder that was opened), code.lock (process).
// They prove settings as of the time of the file. The hash of workspaceStorage is the editor's, not that of the agent's folders.
// Versions: all. Evidence: L4.

export const kiroIdeConfig: FileParser = { id: 'kiro-ide-config', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { name } = idePlace(source.artifact.file);
  const time = source.artifact.mtime;
  if (name.toLowerCase() === 'code.lock') {
    yield* lockRow(source);
    return;
  }
  const stored = yield* withColumns(readObject(source, name || 'configuration'), { time, project_path: '' });
  if (stored === undefined) return;
  if (name.toLowerCase() === 'profile.json') yield profileRow(stored, time);
  else if (name.toLowerCase() === 'workspace.json') yield workspaceRow(stored, time);
  else yield* memberRows(stored, name, time);
}

function profileRow(stored: JsonObject, time: Draft['time']): Draft {
  const known = { arn: textOf(stored, 'arn'), name: textOf(stored, 'name') };
  return { row_type: 'config', text: `service profile:${pairs(known)}`, time, details: { value: withheld(stored) } };
}

function workspaceRow(stored: JsonObject, time: Draft['time']): Draft {
  const uri = textOf(stored, 'folder');
  const workspace = textOf(stored, 'workspace') || textOf(stored, 'configuration');
  return {
    row_type: 'config',
    text: `workspace opened:${pairs({ folder: uri, workspace })}`,
    time,
    project_path: pathOfUri(uri),
    problem: uri === '' && workspace === '' ? 'no folder is named' : '',
    details: { value: stored },
  };
}

function* memberRows(stored: JsonObject, file: string, time: Draft['time']): Generator<Draft> {
  const shownOnly = withheld(stored);
  for (const [key, value] of Object.entries(isObject(shownOnly) ? shownOnly : {})) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    yield {
      row_type: 'config',
      text: `setting: ${key}=${shown} (from ${file})`,
      time,
      source_pointer: step('', key),
      details: { key, value },
    };
  }
}

function* lockRow(source: FileSource): Generator<Draft> {
  const { text } = decodeUtf8(Buffer.from(source.read(0, 1024)));
  const pid = /^\s*(\d{1,10})\s*$/.exec(text)?.[1];
  if (pid === undefined) {
    yield errorDraft('code.lock holds no process id', text);
    return;
  }
  yield {
    row_type: 'config',
    text: `process lock: pid=${pid}`,
    time: source.artifact.mtime,
    details: { note: 'the editor was running, or was killed, at this time' },
  };
}
