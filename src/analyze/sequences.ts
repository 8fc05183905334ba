import type { CompiledRule } from './rules/index.js';
import type { RowView } from './view.js';

type Sequence = Extract<CompiledRule, { kind: 'sequence' }>;
export type SameKey = Sequence['same'][number];

/** A sequence that has begun: the rows so far and where the first of them stood. */
interface Begun {
  readonly at: number;
  readonly views: readonly RowView[];
}

/**
 * Follows one rule of the sequence kind through one session. Of several beginnings the latest is kept for each value of
 * `same` (at most a thousand), so memory does not grow with the session; a sequence is reported once.
 */
export class SequenceTracker {
  private readonly waiting: Map<string, Begun>[];
  private done = false;

  constructor(readonly rule: Sequence) {
    this.waiting = rule.steps.slice(1).map(() => new Map());
  }

  /** Takes the next row of the session, at its number there; gives all rows of the sequence when it is complete. */
  take(view: RowView, at: number): readonly RowView[] | undefined {
    const { rule } = this;
    if (this.done) return undefined;
    if (rule.until?.matches(view) === true) {
      for (const waiting of this.waiting) waiting.clear();
      return undefined;
    }
    // Last step first, so that one row is never two steps.
    for (let step = rule.steps.length - 1; step >= 0; step--) {
      if (rule.steps[step]?.matches(view) !== true) continue;
      const before = step === 0 ? { at, views: [] } : this.begun(step, view, at);
      if (before === undefined) continue;
      const views = [...before.views, view];
      if (step === rule.steps.length - 1) {
        this.done = true;
        return views;
      }
      this.keep(step, { at: before.at, views });
    }
    return undefined;
  }

  private begun(step: number, view: RowView, at: number): Begun | undefined {
    const waiting = this.waiting[step - 1];
    let best: Begun | undefined;
    for (const [key, begun] of waiting ?? []) {
      if (at - begun.at > this.rule.withinRows) waiting?.delete(key);
      else if (this.rule.same.every((same) => shares(begun.views[0], view, same))) best = begun;
    }
    return best;
  }

  private keep(step: number, begun: Begun): void {
    const waiting = this.waiting[step];
    if (waiting === undefined) return;
    const [first] = begun.views;
    const key = first === undefined ? '' : this.rule.same.map((same) => valuesOf(first, same).join('\u0000')).join('\u0001');
    waiting.delete(key);
    if (waiting.size >= MOST_WAITING) for (const oldest of [...waiting.keys()].slice(0, 1)) waiting.delete(oldest);
    waiting.set(key, begun);
  }
}

const MOST_WAITING = 1000;

function shares(first: RowView | undefined, view: RowView, same: SameKey): boolean {
  if (first === undefined) return false;
  const values = new Set(valuesOf(first, same));
  return valuesOf(view, same).some((value) => value !== '' && values.has(value));
}

function valuesOf(view: RowView, same: SameKey): readonly string[] {
  if (same === 'command') return [view.row.command.trim().replace(/\s+/g, ' ')];
  const { read, write, delete: removed } = view.touches;
  if (same === 'effect_path') return [...write, ...removed].map((path) => wholePath(path, view.row.project_path));
  if (same === 'path') return [...read, ...write, ...removed].map((path) => wholePath(path, view.row.project_path));
  const value = view.row[same.column];
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/;

/** One spelling for a path that one call names from the working directory, another from the home, a third in full. */
function wholePath(path: string, project: string): string {
  if (path === '~' || path.startsWith('~/')) return (HOME.exec(project)?.[0] ?? '~') + path.slice(1);
  if (project === '' || path.startsWith('/') || /^[A-Za-z]:/.test(path)) return path;
  return `${project.replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`;
}
