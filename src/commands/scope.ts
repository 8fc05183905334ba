import type { Place } from './place.js';
import type { Draft, Shell } from './raw.js';

/** What holds for all commands of a stretch of text. */
export interface Scope {
  readonly via: string;
  readonly remote: boolean;
  readonly container: boolean;
  readonly encoded: boolean;
  readonly privileged: boolean;
  readonly wrappers: readonly string[];
  /** Commands whose output arrives on standard input. */
  readonly upstream: readonly Draft[];
  /** Text that arrives on standard input from outside the stretch: a here-document of the program that runs it. */
  readonly input: string;
  readonly place: Place;
  /** How often code in text was opened to come here. */
  readonly depth: number;
}

/** Reading code in text stops at this depth. */
const MAX_DEPTH = 4;
/** No text of 64 KiB holds more commands; text that is read again within itself could. */
const MAX_COMMANDS = 70_000;

/** Reads a text of one shell and returns the commands that take part in the pipeline around it. */
export type ReadText = (text: string, shell: Shell, scope: Scope, sink: Sink) => Draft[];

/** Collects the commands of one command text. */
export class Sink {
  readonly commands: Draft[] = [];
  problem = '';

  constructor(private readonly readers: ReadText) {}

  add(command: Draft): boolean {
    if (this.commands.length >= MAX_COMMANDS) {
      this.fail('too many commands');
      return false;
    }
    this.commands.push(command);
    return true;
  }

  /** Reads code that stands in an argument, a here-document or an encoding. */
  readInner(text: string, shell: Shell, scope: Scope): Draft[] {
    if (text.trim() === '') return [];
    if (scope.depth >= MAX_DEPTH) {
      this.fail('code nested too deep');
      return [];
    }
    return this.readers(text, shell, { ...scope, depth: scope.depth + 1 }, this);
  }

  /** The first problem is the one that is told. */
  fail(problem: string): void {
    if (this.problem === '') this.problem = problem;
  }
}
