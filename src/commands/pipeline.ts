import type { Draft } from './raw.js';
import type { Scope, Sink } from './scope.js';

/** Neighbours a command remembers on either side. No pipeline a person writes is longer, and a hostile one must not cost its square. */
const MAX_NEIGHBOURS = 24;

/** Reads the members of a pipeline in order and tells each what stands before and behind it. Returns all their commands. */
export function asMembers<T>(nodes: readonly T[], sink: Sink, read: (node: T, before: readonly Draft[]) => Draft[]): Draft[] {
  const all: Draft[] = [];
  const starts: number[] = [];
  for (const node of nodes) {
    starts.push(all.length);
    const before = all.slice(Math.max(0, all.length - MAX_NEIGHBOURS));
    for (const command of read(node, before)) all.push(command);
  }
  if (nodes.length > MAX_NEIGHBOURS) sink.fail(`pipeline of ${nodes.length} parts: neighbours kept for ${MAX_NEIGHBOURS}`);
  for (let member = 0; member + 1 < starts.length; member++) {
    const behind = starts[member + 1] ?? all.length;
    const names = all.slice(behind, behind + MAX_NEIGHBOURS).map((command) => command.name);
    for (const command of all.slice(starts[member], behind)) for (const name of names) command.to.push(name);
  }
  return all;
}

/** A member of a pipeline runs in a shell of its own and gets what comes before it on standard input. */
export function withUpstream(scope: Scope, before: readonly Draft[]): Scope {
  const upstream = [...scope.upstream, ...before].slice(-MAX_NEIGHBOURS);
  return { ...scope, upstream, input: before.length > 0 ? '' : scope.input, place: scope.place.fork() };
}
