import { refuse } from './refuse.js';
import { ANY_CHARACTER, type Anchor, type CharSet, DOT, type Node, parseRegex } from './regex-parse.js';

/**
 * Regular expressions tried in all ways at once (Thompson): the time is at most the length of the text times the size of the
 * pattern. A pattern of a stranger's rule on a text of a hostile transcript cannot hang the run.
 */
export function compileRegex(source: string, flags: string): (text: string) => boolean {
  const parsed = parseRegex(source);
  const program = new Program(flags + parsed.flags);
  program.emit(parsed.node);
  return program.finish();
}

type Step =
  | { readonly kind: 'set'; readonly has: (code: number) => boolean }
  | { readonly kind: 'anchor'; readonly anchor: Anchor }
  /** Goes on at each of these places. */
  | { readonly kind: 'go'; readonly to: number[] }
  | { readonly kind: 'match' };

const MOST_STEPS = 2000;
const TOO_LARGE = `a regular expression is larger than ${MOST_STEPS} steps when its repetitions are written out`;

class Program {
  private readonly steps: Step[] = [];
  private work = 0;
  private readonly fold: boolean;
  private readonly dotAll: boolean;
  private readonly lines: boolean;

  constructor(flags: string) {
    this.fold = flags.includes('i');
    this.dotAll = flags.includes('s');
    this.lines = flags.includes('m');
  }

  emit(node: Node): void {
    // Counted as well, since repetitions of nothing make no steps.
    this.work += 1;
    if (this.work > MOST_STEPS * 4) refuse(TOO_LARGE);
    if (node.kind === 'set')
      this.push({ kind: 'set', has: membership(node.set === DOT && this.dotAll ? ANY_CHARACTER : node.set, this.fold) });
    else if (node.kind === 'anchor') this.push({ kind: 'anchor', anchor: node.anchor });
    else if (node.kind === 'sequence') for (const part of node.parts) this.emit(part);
    else if (node.kind === 'choice') this.choice(node.parts);
    else this.repeat(node.part, node.least, node.most);
  }

  finish(): (text: string) => boolean {
    this.push({ kind: 'match' });
    const { steps, lines } = this;
    return (text) => search(steps, lines, text);
  }

  private choice(parts: readonly Node[]): void {
    const fork = this.fork();
    const ends: number[][] = [];
    for (const part of parts) {
      fork.push(this.steps.length);
      this.emit(part);
      ends.push(this.fork());
    }
    for (const end of ends) end.push(this.steps.length);
  }

  private repeat(part: Node, least: number, most: number): void {
    for (let count = 0; count < least; count++) this.emit(part);
    if (most === Number.POSITIVE_INFINITY) {
      const start = this.steps.length;
      const fork = this.fork();
      fork.push(this.steps.length);
      this.emit(part);
      this.fork().push(start);
      fork.push(this.steps.length);
      return;
    }
    const forks: number[][] = [];
    for (let count = least; count < most; count++) {
      const fork = this.fork();
      fork.push(this.steps.length);
      this.emit(part);
      forks.push(fork);
    }
    for (const fork of forks) fork.push(this.steps.length);
  }

  private fork(): number[] {
    const to: number[] = [];
    this.push({ kind: 'go', to });
    return to;
  }

  private push(step: Step): void {
    if (this.steps.length >= MOST_STEPS) refuse(TOO_LARGE);
    this.steps.push(step);
  }
}

/** Places of the program that are reached at one place of the text, each once. */
class Front {
  readonly places: number[] = [];
  private readonly seen: Uint32Array;
  private round = 1;

  constructor(size: number) {
    this.seen = new Uint32Array(size);
  }

  clear(): void {
    this.places.length = 0;
    this.round += 1;
  }

  isNew(place: number): boolean {
    if (this.seen[place] === this.round) return false;
    this.seen[place] = this.round;
    return true;
  }
}

function search(steps: readonly Step[], lines: boolean, text: string): boolean {
  let now = new Front(steps.length);
  let next = new Front(steps.length);
  for (let at = 0; at <= text.length; at++) {
    // A match may begin anywhere.
    if (reach(steps, lines, text, at, 0, now)) return true;
    if (at === text.length) return false;
    const code = text.charCodeAt(at);
    for (const place of now.places) {
      const step = steps[place];
      if (step?.kind === 'set' && step.has(code) && reach(steps, lines, text, at + 1, place + 1, next)) return true;
    }
    now.clear();
    [now, next] = [next, now];
  }
  return false;
}

/** Follows all that takes no character from a place on. Says whether the end of the program is reached. */
function reach(steps: readonly Step[], lines: boolean, text: string, at: number, from: number, front: Front): boolean {
  const open = [from];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const step = steps[place];
    if (step === undefined || !front.isNew(place)) continue;
    if (step.kind === 'match') return true;
    if (step.kind === 'set') front.places.push(place);
    else if (step.kind === 'go') open.push(...step.to);
    else if (stands(step.anchor, lines, text, at)) open.push(place + 1);
  }
  return false;
}

function stands(anchor: Anchor, lines: boolean, text: string, at: number): boolean {
  if (anchor === 'A') return at === 0;
  if (anchor === '^') return at === 0 || (lines && text[at - 1] === '\n');
  // At the end, or in front of a line break there.
  if (anchor === '$') return at === text.length || (text[at] === '\n' && (lines || at === text.length - 1));
  return (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) === (anchor === 'b');
}

const isWord = (code: number) => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);

function membership({ ranges, negated }: CharSet, fold: boolean): (code: number) => boolean {
  const inside = (code: number) => ranges.some(([from, to]) => code >= from && code <= to);
  const has = (code: number) => (inside(code) || (fold && otherCases(code).some(inside))) !== negated;
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (has(code) ? 1 : 0));
  return (code) => (code < 128 ? ascii[code] === 1 : has(code));
}

function otherCases(code: number): number[] {
  const char = String.fromCharCode(code);
  return [char.toLowerCase(), char.toUpperCase()].filter((other) => other.length === 1).map((other) => other.charCodeAt(0));
}
