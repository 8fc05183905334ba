import type { RowType } from '../../rows/row-types.js';
import type { CompiledCondition, MatchRule } from '../rules/types.js';
import type { RowView } from '../view.js';
import { compileCondition, type Test } from './condition.js';
import { type Category, compileIdentifier } from './detection.js';
import { headOf, readDocument, type SigmaDocument, type TechniqueIds } from './document.js';
import { fileEvents, processEvents, type SigmaEvent, type Style } from './events.js';
import { Refusal, refuse } from './refuse.js';

/** Whether a document is of the Sigma format: a rule, a correlation or a filter. */
export function isSigma(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  const has = (key: string) => Object.hasOwn(document, key);
  return has('logsource') ? has('detection') || has('filter') : has('correlation');
}

export type CompiledSigma = MatchRule | { readonly refused: string };

/**
 * A Sigma rule made ready. A rule that asks for anything a timeline does not have is refused with the reason, and never taken
 * for one that finds nothing.
 */
export function compileSigma(document: unknown, ids: TechniqueIds): CompiledSigma {
  try {
    checkKind(document);
    const rule = readDocument(document);
    return { ...headOf(rule, ids), kind: 'match', rowTypes: ROWS, condition: conditionOf(rule) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

const ROWS: ReadonlySet<RowType> = new Set(['tool_use', 'shell']);

function checkKind(document: unknown): void {
  if (typeof document !== 'object' || document === null) refuse('not a rule');
  if (Object.hasOwn(document, 'correlation')) refuse('a correlation of several events');
  if (Object.hasOwn(document, 'filter')) refuse('a filter for other rules');
  if (Object.hasOwn(document, 'action')) refuse('a rule made of several documents (`action`)');
}

function conditionOf({ status, logsource, detection }: SigmaDocument): CompiledCondition {
  if (status === 'unsupported') refuse('its status is `unsupported`');
  const category = categoryOf(logsource.category ?? '');
  if (logsource.service) refuse(`the log \`${logsource.service}\``);
  const { condition, timeframe, ...searches } = detection;
  if (timeframe !== undefined) refuse('a time frame over several events');
  if (typeof condition !== 'string') refuse(Array.isArray(condition) ? 'several conditions' : 'no condition');
  const tests = new Map(Object.entries(searches).map(([name, search]) => [name, compileIdentifier(search, category)]));
  return asCondition(compileCondition(condition, tests), category, styleOf(logsource.product ?? ''));
}

function categoryOf(category: string): Category {
  if (category === 'process_creation' || category === 'file_event') return category;
  return refuse(
    category === '' ? 'no category of events' : `events of the category \`${category}\`; a timeline has process_creation and file_event`,
  );
}

/** Undefined: as the row is. */
const styleOf = (product: string): Style | undefined => (product === '' ? undefined : product === 'windows' ? 'windows' : 'posix');

function asCondition(test: Test<SigmaEvent>, category: Category, style: Style | undefined): CompiledCondition {
  const events = (view: RowView) => (category === 'process_creation' ? processes : files)(view, style ?? styleOfRow(view));
  return {
    rowTypes: ROWS,
    needs: category === 'file_event' ? WRITES : undefined,
    matches: (view) => events(view).some(test),
    matchedCommands: (view) => {
      const found = new Set(events(view).flatMap((event) => (event.command !== undefined && test(event) ? [event.command] : [])));
      return [...found];
    },
  };
}

const WRITES: ReadonlySet<string> = new Set(['#touch-write']);

function styleOfRow({ row }: RowView): Style {
  const shell = row.tool_name === 'execute_pwsh' || row.tool_name === 'execute_cmd';
  return shell || /^[A-Za-z]:|^\\\\/.test(row.project_path) ? 'windows' : 'posix';
}

const processes = remembered(processEvents);
const files = remembered(fileEvents);

/** The events of a row are made once for all rules. */
function remembered(make: (view: RowView, style: Style) => readonly SigmaEvent[]): typeof make {
  const known = { posix: new WeakMap<RowView, readonly SigmaEvent[]>(), windows: new WeakMap<RowView, readonly SigmaEvent[]>() };
  return (view, style) => {
    const events = known[style].get(view) ?? make(view, style);
    known[style].set(view, events);
    return events;
  };
}
