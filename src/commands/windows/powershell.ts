import { emit } from '../emit.js';
import { asMembers, withUpstream } from '../pipeline.js';
import { type Draft, plainWord, type Redirect, type Word } from '../raw.js';
import type { Scope, Sink } from '../scope.js';
import { ALIASES } from './aliases.js';
import { type Group, type Token, Tokens } from './words.js';

/** Groups inside groups are read to this depth; each level reads its text once more. */
const MAX_NESTING = 24;

/** Reads a text of PowerShell. */
export function readPowerShell(text: string, scope: Scope, sink: Sink, nesting = 0): Draft[] {
  if (nesting > MAX_NESTING) {
    sink.fail('nested too deep');
    return [];
  }
  const found: Draft[] = [];
  for (const pipeline of pipelines(text, sink)) {
    const commands = asMembers(pipeline, sink, (member, before) => {
      const inner = pipeline.length === 1 ? scope : withUpstream(scope, before);
      return readMember({ ...member, alone: pipeline.length === 1 }, inner, sink, nesting);
    });
    for (const command of commands) found.push(command);
  }
  return found;
}

interface Member {
  readonly words: readonly Word[];
  readonly groups: readonly (readonly Group[])[];
  readonly quoted: readonly boolean[];
  readonly redirects: readonly Redirect[];
  readonly text: string;
  /** No other command is in its pipeline. */
  readonly alone: boolean;
  /** Begins with the call operator, so that a text in quotes is a program. */
  readonly called: boolean;
}

/** The statements of a text, each a list of the members of its pipeline. */
function* pipelines(text: string, sink: Sink): Generator<readonly Member[]> {
  const tokens = new Tokens(text);
  let members: Member[] = [];
  let open = new OpenMember(0);
  const close = (): void => {
    if (!open.isEmpty) members.push(open.finish(text, tokens.position));
    open = new OpenMember(tokens.position);
  };
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'redirect') open.redirect = token.read ? 'read' : 'write';
    else if (token.kind === 'word') open.add(token);
    else if (token.kind === 'ampersand' && open.isEmpty) open.called = true;
    else {
      close();
      if (token.kind !== 'pipe' && members.length > 0) {
        yield members;
        members = [];
      }
    }
  }
  if (tokens.unclosed) sink.fail('not complete as PowerShell text: a quote or bracket is open');
  close();
  if (members.length > 0) yield members;
}

/** A member of a pipeline while its words come in. */
class OpenMember {
  readonly words: Word[] = [];
  readonly groups: (readonly Group[])[] = [];
  readonly quoted: boolean[] = [];
  readonly redirects: Redirect[] = [];
  called = false;
  redirect: 'read' | 'write' | undefined;

  constructor(private readonly start: number) {}

  get isEmpty(): boolean {
    return this.words.length === 0 && this.redirects.length === 0;
  }

  add(token: Extract<Token, { kind: 'word' }>): void {
    if (this.redirect !== undefined) this.redirects.push({ kind: this.redirect, target: token.word });
    else {
      this.words.push(token.word);
      this.groups.push(token.groups);
      this.quoted.push(token.quoted);
    }
    this.redirect = undefined;
  }

  finish(text: string, end: number): Member {
    const { words, groups, quoted, redirects, called } = this;
    return { words, groups, quoted, redirects, called, alone: false, text: trimmed(text.slice(this.start, end)) };
  }
}

/** Without the blanks and operators around it; by hand, as a pattern that ends in `$` would try at each blank. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s|;&]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end).trimStart();
}

const KEYWORDS = new Set(
  'if elseif else while for foreach switch try catch finally do until function filter param begin process end trap return throw exit break continue in class enum using'.split(
    ' ',
  ),
);

function readMember(member: Member, scope: Scope, sink: Sink, nesting: number): Draft[] {
  const { words, assignments } = withoutAssignment(member.words);
  const first = words[0];
  if (first === undefined) return emit(raw(member, [], assignments, []), scope, sink);
  const skipped = member.words.length - words.length;
  const rest: Member = { ...member, words, groups: member.groups.slice(skipped), quoted: member.quoted.slice(skipped) };
  const keyword = first.value.toLowerCase().replace(/[({].*$/s, '');
  if (KEYWORDS.has(keyword) && scope.upstream.length === 0) return readKeyword(keyword, rest, scope, sink, nesting);
  if (!member.called && (/^[([$@{\d]/.test(first.value) || rest.quoted[0] === true)) return readExpression(rest, scope, sink, nesting);
  const code = rest.groups.flat();
  const apart: Scope = { ...scope, upstream: [], place: scope.place.fork() };
  const subst = code.filter((group) => !group.block).flatMap((group) => readGroup(group, apart, sink, nesting));
  const name = first.value.toLowerCase();
  const command = emit(
    raw(member, [{ ...first, value: ALIASES.get(name) ?? first.value }, ...words.slice(1)], assignments, subst),
    scope,
    sink,
  );
  const remote =
    /^(?:invoke-command|icm)$/.test(name) && words.some((word) => /^-(?:c(?:o(?:mp\w*)?|n)|session|hostname)$/i.test(word.value));
  const inside = remote ? { ...scope, remote: true, via: 'powershell' } : scope;
  for (const group of code) if (group.block) for (const started of readGroup(group, inside, sink, nesting)) command.push(started);
  return command;
}

/** `if (...) {...}`, `return X`, `param(...) X`: what stands inside and behind. */
function readKeyword(keyword: string, member: Member, scope: Scope, sink: Sink, nesting: number): Draft[] {
  const inside = member.groups
    .flat()
    .map((group) => (keyword === 'foreach' ? { ...group, code: group.code.replace(/^\s*\$\w+\s+in\s/i, '') } : group));
  if (keyword !== 'return' && keyword !== 'param') return readGroups(inside, scope, sink, nesting);
  const from = keyword === 'param' && member.words[0]?.value.length === 'param'.length ? 2 : 1;
  const behind = { ...member, words: member.words.slice(from), groups: member.groups.slice(from), quoted: member.quoted.slice(from) };
  return behind.words.length === 0 ? [] : readMember(behind, scope, sink, nesting + 1);
}

/** A statement that begins with a value: what is inside runs; the whole is a command without a name, so that rules can read it. */
function readExpression(member: Member, scope: Scope, sink: Sink, nesting: number): Draft[] {
  const { words, groups } = member;
  const text = words.map((word) => word.raw).join(' ');
  const client = /\.(?:Download|Upload)(?:String|File|Data)/i.test(text);
  const inside = client ? [] : readGroups(groups.flat(), scope, sink, nesting);
  if (words.length === 1 && text.startsWith('(') && text.endsWith(')') && inside.length > 0) return inside;
  const literal = words.length === 1 && member.quoted[0] === true && /^['"@]/.test(text);
  if (member.alone && (literal || /^\$?[\w:.]+$/.test(text) || text.startsWith('{') || (nesting > 0 && !/[(=]/.test(text)))) return inside;
  const name = client ? 'new-object' : literal ? 'write-output' : '';
  const value = literal ? (words[0]?.value ?? '') : text;
  return [...inside, ...emit(raw(member, [plainWord(name), plainWord(value)], [], []), scope, sink)];
}

function readGroups(groups: readonly Group[], scope: Scope, sink: Sink, nesting: number): Draft[] {
  return groups.flatMap((group) => readGroup(group, scope, sink, nesting));
}

function readGroup(group: Group, scope: Scope, sink: Sink, nesting: number): Draft[] {
  return readPowerShell(group.code, scope, sink, nesting + 1);
}

function raw(member: Member, words: readonly Word[], assignments: readonly string[], subst: readonly Draft[]) {
  return {
    words,
    assignments,
    redirects: member.redirects,
    heredoc: '',
    text: member.text,
    shell: 'powershell',
    subst,
    procsub: [],
  } as const;
}

/** `$x = COMMAND` is the command; `$env:NAME = 'value'` is an assignment. A dot that runs a script here goes, too. */
function withoutAssignment(words: readonly Word[]): { readonly words: readonly Word[]; readonly assignments: readonly string[] } {
  const [first, second] = words;
  if (first === undefined) return { words, assignments: [] };
  if (first.raw === '.') return { words: words.slice(1), assignments: [] };
  const together = /^(\$[\w:]+)[+-]?=(.*)$/s.exec(first.value);
  const apart = /^\$[\w:]+$/.test(first.value) && second !== undefined && /^[+-]?=$/.test(second.value);
  if (together === null && !apart) return { words, assignments: [] };
  const given = together?.[2] ?? '';
  const value = together === null ? words.slice(2) : given === '' ? words.slice(1) : [plainWord(given), ...words.slice(1)];
  const name = /^\$env:(\w+)$/i.exec(together?.[1] ?? first.value)?.[1];
  return name === undefined
    ? { words: value, assignments: [] }
    : { words: [], assignments: [`${name}=${value.map((word) => word.value).join(' ')}`] };
}
