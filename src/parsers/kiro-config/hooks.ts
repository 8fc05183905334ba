import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { step } from '../../rows/pointer.js';
import { problems, readObject, unknownFields } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { hookRow } from './hook-rows.js';
import { legacyHookRow } from './legacy-hook.js';
import { configPlace } from './place.js';

// .kiro/hooks/*.json: hooks of the v3 engine, of a project and (2.13 and later) of the user. A command of a hook runs in a shell
// without a question: a way to stay on a machine. It proves what was set up by the time of the file. It cannot show that a
// hook ran: the session log does (ContextualHookInvoked names file and number of the hook).
// `*.kiro.hook` is the form of the IDE up to 0.12. Versions: 2.13 and later. Evidence: L4, as for the rows.

const KNOWN = new Set(['version', 'hooks']);

export const kiroHooks: FileParser = { id: 'kiro-hooks', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { columns } = configPlace(source.artifact);
  for (const row of rowsOf(source)) yield { ...row, ...columns };
}

function* rowsOf(source: FileSource): Generator<Draft> {
  const stored = yield* readObject(source, 'hook file');
  if (!stored) return;
  if (/\.kiro\.hook$/i.test(source.artifact.file)) {
    yield legacyHookRow(stored);
    return;
  }
  const { version, hooks } = stored;
  const strange = problems(
    version !== 'v1' && 'not of version v1: Kiro may not read it',
    !Array.isArray(hooks) && 'the hooks are not a list',
  );
  yield {
    row_type: 'config',
    text: `hook file: hooks=${Array.isArray(hooks) ? hooks.length : 0}`,
    problem: strange,
    details: { version, ...(Array.isArray(hooks) || hooks === undefined ? {} : { hooks }) },
  };
  for (const [i, hook] of (Array.isArray(hooks) ? hooks : []).entries()) yield { ...hookRow(hook), source_pointer: step('/hooks', i) };
  if (isObject(hooks)) yield { ...hookRow(hooks), source_pointer: '/hooks' };
  for (const [key, value] of unknownFields(stored, KNOWN)) {
    const text = `hook file field: ${key}=${JSON.stringify(value)}`;
    yield { row_type: 'config', text, problem: 'a field that is not documented', details: { value }, source_pointer: step('', key) };
  }
}
