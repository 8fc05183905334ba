import { buildCommand } from './build.js';
import { carried } from './carriers.js';
import { normalisePath } from './paths.js';
import { fillIn, throughXargs } from './placeholders.js';
import type { Draft, RawCommand } from './raw.js';
import type { Scope, Sink } from './scope.js';
import { unwrap } from './unwrap.js';

/** Adds one command to the list, and what it starts. Returns those that take part in the pipeline around it. */
export function emit(raw: RawCommand, scope: Scope, sink: Sink): Draft[] {
  if (raw.words.length === 0 && raw.assignments.length === 0 && raw.redirects.length === 0) return [];
  const bare = unwrap(raw.words, raw.shell);
  const found: Draft[] = [];
  for (const words of bare.kept) {
    const command = buildCommand({ ...raw, words }, scope);
    if (sink.add(command)) found.push(command);
  }
  const inner: Scope =
    bare.wrappers.length === 0
      ? scope
      : { ...scope, wrappers: [...scope.wrappers, ...bare.wrappers], privileged: scope.privileged || bare.privileged };
  if (bare.code !== undefined) {
    found.push(...sink.readInner(bare.code, 'posix', { ...inner, via: 'shell', place: scope.place.fork() }));
    return found;
  }
  const filled = bare.xargsMark === undefined ? undefined : fillIn(bare.words, throughXargs(scope.upstream), bare.xargsMark);
  const own: RawCommand =
    bare.wrappers.length === 0 ? raw : { ...raw, words: bare.words, filled, assignments: [...raw.assignments, ...bare.assignments] };
  const command = buildCommand(own, inner);
  if (!sink.add(command)) return found;
  found.push(command);
  follow(command, own, scope);
  for (const started of carried(command, own, inner, sink, emit)) found.push(started);
  return found;
}

const MOVES = new Set(['cd', 'pushd', 'chdir', 'set-location', 'push-location']);

/** Follows changes of the folder. */
function follow(command: Draft, raw: RawCommand, scope: Scope): void {
  if (command.name === 'popd' || command.name === 'pop-location') scope.place.change('-');
  if (!MOVES.has(command.name)) return;
  const target = raw.words.slice(1).find((word) => word.value === '-' || !/^(?:-|\/d$)/i.test(word.value));
  scope.place.change(
    target === undefined ? '~' : target.value === '-' ? '-' : normalisePath(target.value, { quotedTilde: target.literal }),
  );
}
