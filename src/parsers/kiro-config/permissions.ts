import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { problems, readObject } from '../json-store.js';
import type { Companions, FileParser } from '../parser.js';
import { type ConfigPlace, configPlace } from './place.js';
import { ruleRows } from './rules.js';
import { textOf, yamlObject } from './yaml-store.js';

// .kiro/settings/permissions.yaml and .kiro/workspace-roots/<hash>/permissions.yaml (or .json, which counts when the YAML file is
// empty): standing rules of the v3 engine, for the user and for one workspace, whose path only its hash names.
// They prove what would run without a question, what is refused, and what is always asked; rows carry the file time, that of the
// last change of any rule. They cannot show who wrote a rule: an answer "always" at a prompt and a text editor look the same.
// The CLI does not read the file of a project (kirodotdev/Kiro#11037). Further rules come from an administrator, from agents and
// from the session itself; the most restrictive wins.
// Versions: v3 engine; since when is not known. Evidence: L4, field lists made by others; L3, kirodotdev/Kiro#11037.

const YAML = 'permissions.yaml';
const WORKSPACE = /\/workspace-roots\/([^/]+)\/[^/]+$/i;

export const kiroPermissions: FileParser = {
  id: 'kiro-permissions',
  container: 'file',
  companions: (name) => (/\.json$/i.test(name) ? [YAML] : []),
  parse,
};

function* parse(source: FileSource, companions: Companions): Generator<Draft> {
  const { file } = source.artifact;
  const place = configPlace(source.artifact);
  const workspace = WORKSPACE.exec(`/${file}`)?.[1];
  const stored = yield* read(source, place);
  if (stored === undefined) return;
  const shadowed = (companions.get(YAML)?.size ?? 0) > 0;
  const verdict = problems(
    workspace === undefined && place.scope === 'project' && 'Kiro CLI does not read this file in a project (kirodotdev/Kiro#11037)',
    shadowed && 'read only where permissions.yaml beside it is empty, which it is not',
  );
  const scope = workspace === undefined ? place.scope : `workspace:${workspace}`;
  const context = { file, columns: place.columns, scope, verdict };
  let rows = 0;
  for (const row of ruleRows(stored, '', context)) {
    rows += 1;
    yield row;
  }
  if (rows === 0) yield emptyRow(scope, place, verdict, file);
}

/** A file without rules, so that it is seen: an answer of its own to what was allowed. */
function emptyRow(scope: string, { columns }: ConfigPlace, problem: string, file: string): Draft {
  return {
    row_type: 'config',
    text: `permission rules: none scope=${scope} (from ${file}, file mtime)`,
    ...columns,
    problem,
    details: { scope },
  };
}

function* read(source: FileSource, { columns }: ConfigPlace): Generator<Draft, JsonObject | undefined> {
  const what = 'permission rules';
  if (!/\.ya?ml$/i.test(source.artifact.file)) {
    for (const rows = readObject(source, what); ; ) {
      const next = rows.next();
      if (next.done) return next.value;
      yield { ...next.value, ...columns };
    }
  }
  const text = yield* textOf(source, what, columns);
  if (text === undefined) return undefined;
  const stored = yield* yamlObject(text, what, columns);
  return isObject(stored) ? stored : undefined;
}
