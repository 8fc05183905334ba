import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { readObject } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { configPlace } from './place.js';

// .kiro/settings/cli.json of Kiro CLI: a flat object of dotted keys; an object `chat` with the same keys may stand beside them.
// It proves how the program is set up: default model, agent and engine, features that are off unless set. It cannot show when a
// setting was made (rows carry the file time, that of the last change of any of them) nor what the program did with it: the
// engine can also be chosen on the command line.
// Versions: all. Evidence: L4, BoosterY/kiro-session, rimio-ai/rimz, dwalleck/cyril; key names also in the vendor's documentation.

const GROUP = 'chat';
const DEFAULT_MODEL = 'chat.defaultModel';

export const kiroSettings: FileParser = { id: 'kiro-settings', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { columns } = configPlace(source.artifact);
  for (const row of rowsOf(source)) yield { ...row, ...columns };
}

function* rowsOf(source: FileSource): Generator<Draft> {
  const settings = yield* readObject(source, 'settings');
  if (!settings) return;
  for (const [key, value] of Object.entries(settings)) {
    if (key !== GROUP || !isObject(value)) yield* settingRows(key, value, step('', key));
    else for (const [inner, one] of Object.entries(value)) yield* settingRows(`${GROUP}.${inner}`, one, step(step('', key), inner));
  }
}

function* settingRows(key: string, value: unknown, source_pointer: string): Generator<Draft> {
  yield { row_type: 'config', text: `setting: ${key}=${JSON.stringify(value)}`, details: { key, value }, source_pointer };
  if (key === DEFAULT_MODEL && typeof value === 'string')
    yield { row_type: 'model', text: `model: ${value} source=settings`, model: value, source_pointer };
}
