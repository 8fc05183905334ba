import { z } from 'zod';

const Ids = z.object({ version: z.string(), named: z.record(z.string(), z.string()), more: z.array(z.string()) });
const TechniquesSchema = z.strictObject({ attack: Ids, atlas: Ids, retired: z.record(z.string(), z.string()) });

/** Technique ids that rules may carry. */
export class Techniques {
  private readonly stored: z.infer<typeof TechniquesSchema>;

  constructor(document: unknown) {
    this.stored = TechniquesSchema.parse(document);
  }

  /** What is wrong with an id of ATT&CK, or ''. */
  attackProblem(id: string): string {
    const now = this.stored.retired[id];
    if (now !== undefined) return `the ATT&CK id ${id} was retired in ${this.stored.attack.version}: now ${now}`;
    return isKnown(id, this.stored.attack) ? '' : `${id} is no ATT&CK id of ${this.stored.attack.version}`;
  }

  atlasProblem(id: string): string {
    return isKnown(id, this.stored.atlas) ? '' : `${id} is no ATLAS id of ${this.stored.atlas.version}`;
  }

  /** The id that took the place of a retired one, or the id itself. */
  current(id: string): string {
    return this.stored.retired[id] ?? id;
  }

  nameOf(id: string): string {
    return this.stored.attack.named[id] ?? this.stored.atlas.named[id] ?? '';
  }

  /** Ids with a name. */
  named(): readonly string[] {
    return [...Object.keys(this.stored.attack.named), ...Object.keys(this.stored.atlas.named)];
  }
}

/** An id of the list, or a sub-technique of one. */
function isKnown(id: string, { named, more }: z.infer<typeof Ids>): boolean {
  if (Object.hasOwn(named, id) || more.includes(id)) return true;
  const parent = /^(.+)\.\d{3}$/.exec(id)?.[1];
  return (
    parent !== undefined && !parent.endsWith('.') && (more.includes(parent) || Object.hasOwn(named, parent) || hasSibling(parent, named))
  );
}

const hasSibling = (parent: string, named: Readonly<Record<string, string>>) =>
  Object.keys(named).some((id) => id.startsWith(`${parent}.`));
