import { createHash } from 'node:crypto';
import type { Instant } from '../../rows/time.js';
import type { Place } from './objects.js';
import type { Payload } from './payload.js';

// A payload has no call id. A result belongs to the call with the same session (or directory), tool and arguments; where one of
// them carries no arguments, to the oldest open call of that tool. The second is said in the row: calls can overlap.

export interface OpenCall {
  readonly payload: Pick<Payload, 'session' | 'cwd' | 'tool' | 'toolUseId'>;
  readonly agent: string;
  readonly command: string;
  readonly paths: readonly string[];
  readonly place: Place;
  readonly time: Instant | undefined;
  /** Hash of the arguments, or empty when the payload has none. */
  readonly key: string;
}

export interface Pair {
  readonly call: OpenCall;
  readonly by: 'id' | 'arguments' | 'order';
}

interface Held {
  readonly call: OpenCall;
  open: boolean;
}

/** A queue that forgets what was taken elsewhere: searching lists of calls that were never answered would cost their square. */
class Queue {
  private calls: Held[] = [];
  private next = 0;

  add(held: Held): void {
    this.first();
    if (this.next > 1000 && this.next > this.calls.length / 2) {
      this.calls = this.calls.slice(this.next);
      this.next = 0;
    }
    this.calls.push(held);
  }

  first(): Held | undefined {
    for (let held = this.calls[this.next]; held !== undefined; held = this.calls[this.next]) {
      if (held.open) return held;
      this.next += 1;
    }
    return undefined;
  }
}

/** Calls of one tool in one session: in order, and by arguments and id. */
interface Scope {
  readonly all: Queue;
  readonly byKey: Map<string, Queue>;
}

export class OpenCalls {
  private readonly scopes = new Map<string, Scope>();
  private readonly calls = new Set<OpenCall>();
  /** Sessions, or directories, that have results at all. */
  private readonly answered = new Set<string>();

  add(call: OpenCall): void {
    const name = scopeOf(call.payload);
    const scope = this.scopes.get(name) ?? { all: new Queue(), byKey: new Map() };
    const held = { call, open: true };
    this.scopes.set(name, scope);
    this.calls.add(call);
    scope.all.add(held);
    for (const key of keysOf(call)) {
      const queue = scope.byKey.get(key) ?? new Queue();
      scope.byKey.set(key, queue);
      queue.add(held);
    }
  }

  /** Takes the call a result belongs to. */
  take(payload: Payload, key: string): Pair | undefined {
    this.answered.add(groupOf(payload));
    const scope = this.scopes.get(scopeOf(payload));
    if (scope === undefined) return undefined;
    const first = (name: string) => scope.byKey.get(name)?.first();
    const byId = payload.toolUseId === '' ? undefined : first(idKey(payload.toolUseId));
    const byKey = byId ?? (key === '' ? undefined : first(key));
    // Arguments that differ are another call: only where one side has none does the order decide.
    const held = byKey ?? (key === '' ? scope.all.first() : first(''));
    if (held === undefined) return undefined;
    held.open = false;
    this.calls.delete(held.call);
    for (const name of keysOf(held.call)) if (first(name) === undefined) scope.byKey.delete(name);
    return { call: held.call, by: byId ? 'id' : byKey ? 'arguments' : 'order' };
  }

  /** Calls without a result, where the capture has results of their session; and how many others there are. */
  rest(): { readonly unanswered: readonly OpenCall[]; readonly uncaptured: number } {
    const all = [...this.calls];
    const unanswered = all.filter(({ payload }) => this.answered.has(groupOf(payload)));
    return { unanswered, uncaptured: all.length - unanswered.length };
  }
}

const idKey = (id: string) => `id\u0000${id}`;
const keysOf = ({ key, payload }: OpenCall) => (payload.toolUseId === '' ? [key] : [key, idKey(payload.toolUseId)]);
const groupOf = ({ session, cwd }: OpenCall['payload']) => session || cwd;
const scopeOf = (payload: OpenCall['payload']) => `${groupOf(payload)}\u0000${payload.tool}`;

/** Only a hash is kept: a capture may hold very many calls with whole files in them. `text` holds the arguments as JSON. */
export function argumentsKey(text: string): string {
  return text === '' || text === '{}' ? '' : createHash('sha1').update(text).digest('base64');
}
