import type { z } from 'zod';

/** One way in which a value is not what the schema asks for. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Keys nobody reads. */
  readonly keys: readonly string[];
}

/** Faults for the author of a rule: of the ways a value failed the one that came furthest, and each place once. */
export function faultsOf(error: z.ZodError): Fault[] {
  const faults = error.issues.map((issue) => deepest(issue, []));
  const unknown = new Set(faults.filter(({ keys }) => keys.length > 0).map(({ path }) => path.join('.')));
  return faults.filter(({ path, keys }) => keys.length > 0 || !unknown.has(path.join('.')));
}

export const messageOf = ({ message, keys }: Fault): string => (keys.length > 0 ? `unknown key ${keys.join(', ')}` : message);

function deepest(issue: z.core.$ZodIssue, before: readonly PropertyKey[]): Fault {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys') return { path, message: '', keys: issue.keys };
  if (issue.code === 'invalid_key') return { path, message: issue.issues[0]?.message ?? issue.message, keys: [] };
  if (issue.code !== 'invalid_union') return { path, message: issue.message, keys: [] };
  const faults = issue.errors.flatMap((branch) => branch.slice(0, 1).map((inner) => deepest(inner, path)));
  const far = faults.reduce<Fault | undefined>(
    (best, fault) => (best === undefined || reach(fault) > reach(best) ? fault : best),
    undefined,
  );
  return far === undefined || reach(far) === path.length ? { path, message: 'not what stands here', keys: [] } : far;
}

const reach = ({ path, keys }: Fault) => path.length + keys.length;
