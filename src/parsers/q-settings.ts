import type { FileSource } from '../evidence/source.js';
import type { Draft } from '../rows/draft.js';
import { step } from '../rows/pointer.js';
import { readObject, storeColumns } from './json-store.js';
import type { FileParser } from './parser.js';

// settings.json of Amazon Q Developer CLI: a flat object of dotted keys in the data folder.
// It proves how the program is set up: default model and agent, features that are off unless set (checkpoints,
// delegation, knowledge, todo lists, tangent mode), telemetry. It cannot show when a setting was made (rows carry the file
// time, that of the last change of any of them) nor what the program did with it.
// Versions: all; the desktop builds add keys of their own. Evidence: L1,
// aws/amazon-q-developer-cli: crates/chat-cli/src/database/settings.rs.

const DEFAULT_MODEL = 'chat.defaultModel';

export const qSettings: FileParser = { id: 'q-settings', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const columns = storeColumns(source.artifact);
  const settings = yield* readObject(source, 'settings');
  if (!settings) return;
  for (const [key, value] of Object.entries(settings)) {
    const place = { source_pointer: step('', key), ...columns };
    yield { row_type: 'config', text: `setting: ${key}=${JSON.stringify(value)}`, details: { key, value }, ...place };
    if (key === DEFAULT_MODEL && typeof value === 'string') {
      yield { row_type: 'model', text: `model: ${value} source=settings`, model: value, ...place };
    }
  }
}
