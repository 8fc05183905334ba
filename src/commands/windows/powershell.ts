import { emit } from '../emit.js';
import { asMembers, withUpstream } from '../pipeline.js';
import { type Draft, plainWord, type Redirect, type Word } from '../raw.js';
import type { Scope, Sink } from '../scope.js';
import { ALIASES } from './aliases.js';
import { type Group, Tokens } from './words.js';

/** Groups inside groups are read to this depth; each level reads its text once more. */
const MAX_NESTING = 24;

/** Reads a text of PowerShell. */
export function readPowerShell(text: string, scope: Scope, sink: Sink, nesting = 0): Draft[] {
  if (nesting > MAX_NESTING) {
    sink.fail('nested too deep');
    return [];
  }
  const found: Draft[] = [];
  for (const pipeline of pipelines(text)) {
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
  readonly alone?: boolean;
}

/** The statements of a text, each a list of the members of its pipeline. */
function* pipelines(text: string): Generator<Member[]> {
  const tokens = new Tokens(text);
  let members: Member[] = [];
  let open = emptyMember();
  let start = 0;
  let redirect: boolean | undefined;
  const close = (): void => {
    if (open.words.length > 0 || open.redirects.length > 0)
      members.push({
        ...open,
        text: text
          .slice(start, tokens.position)
          .replace(/[\s|;&]+$/, '')
          .trimStart(),
      });
    open = emptyMember();
    start = tokens.position;
    redirect = undefined;
  };
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'redirect') redirect = token.read;
    else if (token.kind === 'word') {
      if (redirect !== undefined) open.redirects.push({ kind: redirect ? 'read' : 'write', target: token.word });
      else {
        open.words.push(token.word);
        open.groups.push(token.groups);
        open.quoted.push(token.quoted);
      }
      redirect = undefined;
    } else {
      close();
      if (token.kind === 'end' && members.length > 0) {
        yield members;
        members = [];
      }
    }
  }
  close();
  if (members.length > 0) yield members;
}

function emptyMember() {
  return { words: [] as Word[], groups: [] as (readonly Group[])[], quoted: [] as boolean[], redirects: [] as Redirect[], text: '' };
}

const KEYWORDS = new Set(
  'if elseif else while for foreach switch try catch finally do until function filter param begin process end trap return throw exit break continue in class enum using'.split(
    ' ',
  ),
);

function readMember(member: Member, scope: Scope, sink: Sink, nesting: number): Draft[] {
  const { words, assignments } = withoutAssignment(member.words);
  const skipped = member.words.length - words.length;
  const groups = member.groups.slice(skipped);
  const first = words[0];
  if (first === undefined) return emit(raw(member, [], assignments, []), scope, sink);
  const keyword = first.value.toLowerCase().replace(/[({].*$/s, '');
  if (KEYWORDS.has(keyword) && scope.upstream.length === 0) {
    const inside = groups.flatMap((list) => readGroups(list, scope, sink, nesting));
    if (keyword !== 'return' || words.length < 2 || inside.length > 0) return inside;
    return readMember(
      { ...member, words: words.slice(1), groups: groups.slice(1), quoted: member.quoted.slice(skipped + 1) },
      scope,
      sink,
      nesting,
    );
  }
  if (/^[([$@{]/.test(first.value) || member.quoted[skipped] === true) return readExpression(member, words, groups, scope, sink, nesting);
  const code = groups.flat();
  const subst = code
    .filter((group) => !group.block)
    .flatMap((group) => readGroup(group, { ...scope, upstream: [], place: scope.place.fork() }, sink, nesting));
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

/** A statement that begins with a value: what is inside runs; the whole is a command without a name, so that rules can read it. */
function readExpression(
  member: Member,
  words: readonly Word[],
  groups: Member['groups'],
  scope: Scope,
  sink: Sink,
  nesting: number,
): Draft[] {
  const text = words.map((word) => word.raw).join(' ');
  const client = /\.(?:Download|Upload)(?:String|File|Data)/i.test(text);
  const inside = client ? [] : groups.flatMap((list) => readGroups(list, scope, sink, nesting));
  const bare = words.length === 1 && /^\([^]*\)$/.test(text) && inside.length > 0;
  if (bare) return inside;
  const literal = words.length === 1 && member.quoted[member.words.length - 1] === true && /^['"@]/.test(text);
  const name = client ? 'new-object' : literal ? 'write-output' : '';
  if (member.alone === true && (literal || /^\$[\w:.]+$/.test(text) || (nesting > 0 && !/[(=]/.test(text)))) return inside;
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

/** `$x = COMMAND` is the command; `$env:NAME = 'value'` is an assignment. A call operator goes, too. */
function withoutAssignment(words: readonly Word[]): { readonly words: readonly Word[]; readonly assignments: readonly string[] } {
  const variable = words[0]?.value ?? '';
  if (words[0]?.raw === '.') return { words: words.slice(1), assignments: [] };
  if (!/^\$[\w:]+$/.test(variable) || words[1] === undefined || !/^[+-]?=$/.test(words[1].value)) return { words, assignments: [] };
  const name = /^\$env:(\w+)$/i.exec(variable)?.[1];
  if (name === undefined) return { words: words.slice(2), assignments: [] };
  return {
    words: [],
    assignments: [
      `${name}=${words
        .slice(2)
        .map((word) => word.value)
        .join(' ')}`,
    ],
  };
}
