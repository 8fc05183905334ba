import { type Command, forEachChild, type Pipeline, parse, type Redirection, type Word as ShellWord, type SyntaxNode } from 'unbash';
import { emit } from './emit.js';
import { asMembers, withUpstream } from './pipeline.js';
import type { Draft, Redirect, Word } from './raw.js';
import type { Scope, Sink } from './scope.js';

/** Reads a text of a POSIX shell or bash: every simple command of it, wherever the grammar allows one. */
export function readPosix(text: string, scope: Scope, sink: Sink): Draft[] {
  return new Walker(text, sink).script(parse(text), scope);
}

/** Deeper than people nest, and shallow enough for the stack. */
const MAX_NESTING = 300;
/** Each substitution inside a substitution is read anew from the text, so that depth costs its length each time. */
const MAX_SUBSTITUTIONS = 16;

class Walker {
  constructor(
    private readonly source: string,
    private readonly sink: Sink,
    private nesting = 0,
    private substitutions = 0,
  ) {}

  /** Visits a node; returns the commands that take part in the pipeline around it. */
  visit(node: SyntaxNode, scope: Scope): Draft[] {
    return this.nested(node, () => this.visitKind(node, scope)) ?? [];
  }

  /** Goes one level down, unless that is too deep. */
  private nested<T>(node: SyntaxNode, read: () => T): T | undefined {
    const inner = SUBSTITUTIONS.has(node.type) ? 1 : 0;
    if (this.nesting >= MAX_NESTING || this.substitutions + inner > MAX_SUBSTITUTIONS) {
      this.sink.fail('nested too deep');
      return undefined;
    }
    this.nesting++;
    this.substitutions += inner;
    const result = read();
    this.nesting--;
    this.substitutions -= inner;
    return result;
  }

  script(node: Extract<SyntaxNode, { type: 'Script' }>, scope: Scope): Draft[] {
    const [error] = node.errors ?? [];
    if (error !== undefined) this.sink.fail(`not complete as shell text: ${error.message}`);
    const walker = node.source === undefined ? this : new Walker(node.source, this.sink, this.nesting, this.substitutions);
    const found: Draft[] = [];
    for (const statement of node.commands) append(found, walker.visit(statement, scope));
    return found;
  }

  private visitKind(node: SyntaxNode, scope: Scope): Draft[] {
    switch (node.type) {
      case 'Command':
        return this.command(node, scope);
      case 'Pipeline':
        return this.pipeline(node, scope);
      case 'Subshell':
        return this.children(node, { ...scope, place: scope.place.fork() });
      case 'Redirected': {
        const redirects = this.redirection(node.redirects, scope);
        const attached = emit(this.raw([], [], redirects, node.pos, node.end), scope, this.sink);
        const input = redirects.heredoc === '' ? scope.input : redirects.heredoc;
        const found = this.visit(node.command, { ...scope, input });
        append(found, attached);
        return found;
      }
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        this.expansion(node, scope);
        return [];
      case 'Script':
        return this.script(node, scope);
      default:
        return this.children(node, scope);
    }
  }

  private children(node: SyntaxNode, scope: Scope): Draft[] {
    const found: Draft[] = [];
    forEachChild(node, (child) => append(found, this.visit(child, scope)));
    return found;
  }

  private pipeline(node: Pipeline, scope: Scope): Draft[] {
    return asMembers(node.commands, this.sink, (member, before) => this.visit(member, withUpstream(scope, before)));
  }

  /** Commands whose output stands in a word: they run in a shell of their own, before the command. */
  private expansion(
    node: Extract<SyntaxNode, { type: 'CommandExpansion' | 'ProcessSubstitution' | 'ArithmeticCommandExpansion' }>,
    scope: Scope,
  ): Draft[] {
    const script = node.script;
    if (script === undefined) return [];
    return this.script(script, { ...scope, upstream: [], input: '', place: scope.place.fork() });
  }

  private command(node: Command, scope: Scope): Draft[] {
    const inside: Inside = { subst: [], procsub: [] };
    const words: Word[] = [];
    if (node.name !== undefined) words.push(this.word(node.name, scope, inside));
    for (const argument of node.args)
      words.push(argument.type === 'Word' ? this.word(argument, scope, inside) : this.assignment(argument, scope, inside));
    const assignments = node.prefix.flatMap((part) => (part.type === 'Assignment' ? [this.assignment(part, scope, inside).value] : []));
    const redirects = this.redirection(node.redirects, scope, inside);
    return emit({ ...this.raw(words, assignments, redirects, node.pos, node.end), ...inside }, scope, this.sink);
  }

  private raw(words: readonly Word[], assignments: readonly string[], redirects: Redirects, from: number, to: number) {
    const text = this.source.slice(from, to);
    return {
      words,
      assignments,
      redirects: redirects.files,
      heredoc: redirects.heredoc,
      text,
      shell: 'posix',
      subst: [],
      procsub: [],
    } as const;
  }

  private word(node: ShellWord, scope: Scope, inside: Inside): Word {
    if (/[`(]|\$\{/.test(node.text)) this.inside(node, scope, inside);
    return { value: node.value, raw: node.text, literal: node.value !== node.text && isLiteralHome(node.text) };
  }

  private assignment(node: Extract<SyntaxNode, { type: 'Assignment' }>, scope: Scope, inside: Inside): Word {
    if (/[`(]|\$\{/.test(node.text)) this.inside(node, scope, inside);
    const plain = node.value.type === 'Word' && node.index === undefined;
    const value = plain && node.value.type === 'Word' ? `${node.name}${node.append === true ? '+=' : '='}${node.value.value}` : node.text;
    return { value, raw: node.text, literal: value !== node.text && isLiteralHome(node.text) };
  }

  /** The commands inside a word, told apart by how the word uses them. */
  private inside(node: SyntaxNode, scope: Scope, inside: Inside): void {
    this.nested(node, () => {
      if (node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion') append(inside.subst, this.expansion(node, scope));
      else if (node.type === 'ProcessSubstitution') append(inside.procsub, this.expansion(node, scope));
      else forEachChild(node, (child) => this.inside(child, scope, inside));
    });
  }

  private redirection(nodes: readonly Redirection[], scope: Scope, inside: Inside = { subst: [], procsub: [] }): Redirects {
    const files: Redirect[] = [];
    let heredoc = '';
    for (const node of nodes) {
      if (node.type === 'HereDoc') {
        heredoc = node.body.text;
        if (/[`(]/.test(heredoc)) this.inside(node.body, scope, inside);
      } else if (node.target !== undefined) {
        const target = this.word(node.target, scope, inside);
        if (node.type === 'HereString') heredoc = target.value;
        else if (!(node.operator === '<&' || node.operator === '>&') || !/^(?:\d+-?|-|\$\w+)$/.test(target.value))
          files.push({ kind: KINDS[node.operator], target });
      }
    }
    return { files, heredoc };
  }
}

interface Inside {
  readonly subst: Draft[];
  readonly procsub: Draft[];
}

interface Redirects {
  readonly files: readonly Redirect[];
  readonly heredoc: string;
}

const SUBSTITUTIONS: ReadonlySet<string> = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticCommandExpansion',
  'ArithmeticExpansion',
]);
const KINDS = {
  '>': 'write',
  '>>': 'write',
  '>|': 'write',
  '>&': 'write',
  '&>': 'write',
  '&>>': 'write',
  '<': 'read',
  '<&': 'read',
  '<>': 'both',
} as const;

/** A loop, as spreading a long list into a call can exceed the stack. */
function append(into: Draft[], more: readonly Draft[]): void {
  for (const command of more) into.push(command);
}

/** Whether the first `~` or `$HOME` of a word as written is quoted so that the shell does not replace it. */
function isLiteralHome(text: string): boolean {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '~') return quote !== '';
    if (char === '$' && /^\$\{?HOME\b/.test(text.slice(at, at + 7))) return quote === "'";
    if (char === '\\' && quote !== "'") {
      if (/^(?:~|\$HOME)/.test(text.slice(at + 1, at + 6))) return true;
      at++;
    } else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  return false;
}
