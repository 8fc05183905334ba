import type { SimpleCommand } from '../../commands/types.js';
import { COLUMNS, RowSchema } from '../../rows/row.js';
import type { RowType } from '../../rows/row-types.js';
import type { RowView } from '../view.js';
import { type CommandTest, commandTest } from './command.js';
import type { Lists } from './lists.js';
import { several, type ValueTest, valueTest } from './matchers.js';
import { best, either, needsOfCommand, needsOfTouch } from './needs.js';
import type { Condition, How, Matcher, Touch } from './schema.js';
import type { CompiledCondition, Needs } from './types.js';

/** One part of a condition: its test, and the commands that met it. */
interface Part {
  readonly rowTypes: ReadonlySet<RowType> | undefined;
  readonly needs: Needs;
  readonly test: (view: RowView) => boolean;
  readonly commands: (view: RowView, found: Set<SimpleCommand>) => void;
}

const NO_COMMANDS = () => {};
const NOTHING: readonly SimpleCommand[] = [];

/** Makes a condition ready. `rows` confines it to row types. Throws where a list is unknown or a regular expression is refused. */
export function compiledCondition(condition: Condition, lists: Lists, rows?: readonly RowType[]): CompiledCondition {
  const part = partOf(condition, lists);
  const rowTypes = both(part.rowTypes, rows === undefined ? undefined : new Set(rows));
  const matches = rowTypes === undefined ? part.test : (view: RowView) => rowTypes.has(view.row.row_type) && part.test(view);
  return {
    rowTypes,
    needs: part.needs,
    matches,
    matchedCommands: (view) => {
      if (part.commands === NO_COMMANDS || view.commands.length === 0 || !matches(view)) return NOTHING;
      const found = new Set<SimpleCommand>();
      part.commands(view, found);
      return [...found];
    },
  };
}

function partOf(condition: Condition, lists: Lists): Part {
  const parts: Part[] = [];
  if (condition.where !== undefined) parts.push(wherePart(condition.where, lists));
  if (condition.command !== undefined) parts.push(commandPart(condition.command, lists));
  if (condition.commands !== undefined) parts.push(...condition.commands.map((each) => commandPart(each, lists)));
  if (condition.touch !== undefined) parts.push(touchPart(condition.touch, lists));
  if (condition.all !== undefined) parts.push(...condition.all.map((each) => partOf(each, lists)));
  if (condition.any !== undefined) parts.push(anyPart(condition.any.map((each) => partOf(each, lists))));
  if (condition.not !== undefined) parts.push(...[condition.not].flat().map((each) => notPart(partOf(each, lists))));
  return allPart(parts);
}

function allPart(parts: readonly Part[]): Part {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const speaking = parts.filter((part) => part.commands !== NO_COMMANDS);
  return {
    rowTypes: parts.reduce<ReadonlySet<RowType> | undefined>((types, part) => both(types, part.rowTypes), undefined),
    needs: best(parts.map((part) => part.needs)),
    test: (view) => parts.every((part) => part.test(view)),
    commands: speaking.length === 0 ? NO_COMMANDS : (view, found) => speaking.forEach((part) => part.commands(view, found)),
  };
}

function anyPart(parts: readonly Part[]): Part {
  const types = parts.map((part) => part.rowTypes);
  const speaking = parts.filter((part) => part.commands !== NO_COMMANDS);
  return {
    rowTypes: types.every((type) => type !== undefined) ? new Set(types.flatMap((type) => [...type])) : undefined,
    needs: either(parts.map((part) => part.needs)),
    test: (view) => parts.some((part) => part.test(view)),
    commands:
      speaking.length === 0
        ? NO_COMMANDS
        : (view, found) => {
            for (const part of speaking) if (part.test(view)) part.commands(view, found);
          },
  };
}

const notPart = ({ test }: Part): Part => ({ rowTypes: undefined, needs: undefined, test: (view) => !test(view), commands: NO_COMMANDS });

const both = (a: ReadonlySet<RowType> | undefined, b: ReadonlySet<RowType> | undefined) =>
  a === undefined ? b : b === undefined ? a : new Set([...a].filter((type) => b.has(type)));

function commandPart(condition: Parameters<typeof commandTest>[0], lists: Lists): Part {
  const test: CommandTest = commandTest(condition, lists);
  return {
    rowTypes: undefined,
    needs: needsOfCommand(condition, lists),
    test: (view) => view.commands.some(test),
    commands: (view, found) => {
      for (const command of view.commands) if (test(command)) found.add(command);
    },
  };
}

const EFFECTS: { readonly [K in How]: (command: SimpleCommand) => readonly string[] } = {
  read: (command) => command.reads,
  write: (command) => command.writes,
  delete: (command) => command.deletes,
};

function touchPart(touch: Touch, lists: Lists): Part {
  const wanted = several(touch.path).map((name) => lists.pathTest(name));
  const refused = touch.but === undefined ? [] : several(touch.but).map((name) => lists.pathTest(name));
  const isMeant = (path: string) => wanted.some((test) => test(path)) && !refused.some((test) => test(path));
  const kinds = [touch.how].flat();
  return {
    rowTypes: undefined,
    needs: needsOfTouch(touch),
    test: ({ touches }) => kinds.some((how) => touches[how].some(isMeant)),
    commands: (view, found) => {
      for (const command of view.commands) if (kinds.some((how) => EFFECTS[how](command).some(isMeant))) found.add(command);
    },
  };
}

function wherePart(where: Readonly<Record<string, Matcher>>, lists: Lists): Part {
  const tests = Object.entries(where).map(([field, matcher]): readonly [(view: RowView) => unknown, ValueTest] => [
    fieldOf(field),
    valueTest(matcher, lists),
  ]);
  return {
    rowTypes: where.row_type === undefined ? undefined : rowTypesOf(where.row_type),
    needs: undefined,
    test: (view) => tests.every(([value, test]) => test(value(view))),
    commands: NO_COMMANDS,
  };
}

const TYPES: readonly RowType[] = RowSchema.shape.row_type.options;

function rowTypesOf(matcher: Matcher): ReadonlySet<RowType> | undefined {
  const names = [matcher].flat();
  return names.every((name) => typeof name === 'string') ? new Set(TYPES.filter((type) => names.includes(type))) : undefined;
}

const JOINED = new Map<string, (view: RowView) => unknown>([
  ['joined.decision', ({ joined }) => joined.decision],
  ['joined.decided_by', ({ joined }) => joined.decided_by],
  ['joined.status', ({ joined }) => joined.status],
  ['joined.exit_code', ({ joined }) => joined.exit_code],
  ['joined.not_run', ({ joined }) => joined.not_run],
  ['joined.approvals_recorded', ({ joined }) => joined.approvals_recorded],
]);

/** The schema has let only these names pass. */
function fieldOf(field: string): (view: RowView) => unknown {
  if (field === 'file_mtime' || field === 'collected_at') return (view) => view[field];
  const joined = JOINED.get(field);
  if (joined !== undefined) return joined;
  const column = COLUMNS.find((name) => name === field);
  if (column !== undefined) return (view) => view.row[column];
  const steps = field.split('.').slice(1);
  return (view) => steps.reduce<unknown>(member, view.details);
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}
