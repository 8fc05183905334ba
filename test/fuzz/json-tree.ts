/**
 * JSON as it is written: members in their order, also repeated and named `__proto__`, and pieces of text that are no JSON.
 * A plain object could hold none of these.
 */
export type Tree = { raw: string } | { items: Tree[] } | { members: [string, Tree][] };

/** Undefined for a text that is no JSON. */
export function treeOf(text: string): Tree | undefined {
  try {
    return grow(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function grow(value: unknown): Tree {
  if (Array.isArray(value)) return { items: value.map(grow) };
  if (typeof value === 'object' && value !== null) return { members: Object.entries(value).map(([key, member]) => [key, grow(member)]) };
  return { raw: JSON.stringify(value) };
}

export function print(tree: Tree): string {
  if ('raw' in tree) return tree.raw;
  if ('items' in tree) return `[${tree.items.map(print).join(',')}]`;
  return `{${tree.members.map(([key, member]) => `${JSON.stringify(key)}:${print(member)}`).join(',')}}`;
}

/** A place in a tree that can be read, replaced and taken away. */
export interface Slot {
  readonly tree: Tree;
  set(tree: Tree): void;
  drop(): void;
  /** Puts another value beside it, in an object under the given name or its own. */
  add(tree: Tree, name?: string): void;
  rename(name: string): void;
}

/** Every place below a tree, parents before children. */
export function slotsOf(tree: Tree): Slot[] {
  const slots: Slot[] = [];
  const visit = (node: Tree): void => {
    if ('items' in node) {
      for (const [i, item] of node.items.entries()) {
        slots.push({
          tree: item,
          set: (value) => void (node.items[i] = value),
          drop: () => void node.items.splice(i, 1),
          add: (value) => void node.items.splice(i, 0, value),
          rename() {},
        });
        visit(item);
      }
    } else if ('members' in node) {
      for (const [i, member] of node.members.entries()) {
        slots.push({
          tree: member[1],
          set: (value) => void (member[1] = value),
          drop: () => void node.members.splice(i, 1),
          add: (value, name) => void node.members.push([name ?? member[0], value]),
          rename: (name) => void (member[0] = name),
        });
        visit(member[1]);
      }
    }
  };
  visit(tree);
  return slots;
}
