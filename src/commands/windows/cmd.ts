import { emit } from '../emit.js';
import { asMembers, withUpstream } from '../pipeline.js';
import type { Draft, Redirect, Word } from '../raw.js';
import type { Scope, Sink } from '../scope.js';

/** Reads a text of cmd: statements at `&`, `&&`, `||` and lines, pipelines at `|`; `^` escapes, only `"` quotes. */
export function readCmd(text: string, scope: Scope, sink: Sink): Draft[] {
  const found: Draft[] = [];
  for (const pipeline of split(text)) {
    const commands = asMembers(pipeline, sink, (member, before) => {
      const words = withoutPrefix(member.words);
      const inner = pipeline.length === 1 ? scope : withUpstream(scope, before);
      return emit({ ...member, words, assignments: given(words), heredoc: '', shell: 'cmd', subst: [], procsub: [] }, inner, sink);
    });
    for (const command of commands) found.push(command);
  }
  return found;
}

/** `set NAME=value` holds for what follows. */
function given(words: readonly Word[]): readonly string[] {
  const value = words
    .slice(1)
    .map((word) => word.value)
    .join(' ');
  return words[0]?.value.toLowerCase() === 'set' && value.includes('=') && !value.startsWith('/') ? [value] : [];
}

interface Member {
  readonly words: Word[];
  readonly redirects: Redirect[];
  readonly text: string;
}

function* split(text: string): Generator<Member[]> {
  let members: Member[] = [];
  let open = emptyMember();
  let start = 0;
  let redirect: 'read' | 'write' | undefined;
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t' || char === '(' || char === ')' || (char === '@' && open.words.length === 0)) at++;
    else if (char === '&' || char === '|' || char === '\n' || char === '\r') {
      const double = text.charAt(at + 1) === char && char !== '\n' && char !== '\r';
      if (open.words.length > 0) members.push({ ...open, text: text.slice(start, at).trim() });
      at += double ? 2 : 1;
      start = at;
      open = emptyMember();
      redirect = undefined;
      if ((char !== '|' || double) && members.length > 0) {
        yield members;
        members = [];
      }
    } else if (/^(?:\d?>{1,2}|<)/.test(text.slice(at, at + 3))) {
      const sign = /^(?:\d?>{1,2}|<)(?:&\d)?/.exec(text.slice(at, at + 5))?.[0] ?? char;
      if (!sign.includes('&')) redirect = sign.includes('<') ? 'read' : 'write';
      at += sign.length;
    } else {
      const [word, end] = readWord(text, at);
      at = end;
      if (redirect === undefined) open.words.push(word);
      else open.redirects.push({ kind: redirect, target: word });
      redirect = undefined;
    }
  }
  if (open.words.length > 0) members.push({ ...open, text: text.slice(start).trim() });
  if (members.length > 0) yield members;
}

function emptyMember(): Omit<Member, 'text'> {
  return { words: [], redirects: [] };
}

function readWord(text: string, from: number): readonly [Word, number] {
  const parts: string[] = [];
  let quoted = false;
  let at = from;
  for (; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (quoted) parts.push(char);
    else if (char === '^' && at + 1 < text.length) {
      at++;
      if (!/[\r\n]/.test(text.charAt(at))) parts.push(text.charAt(at));
    } else if (/[\s&|<>]/.test(char) || (char === ')' && !parts.includes('('))) break;
    else parts.push(char);
  }
  return [{ value: parts.join(''), raw: text.slice(from, at), literal: false }, Math.max(at, from + 1)];
}

/** `if exist X CMD`, `for %i in (...) do CMD`, `call CMD`: what follows is the command. */
function withoutPrefix(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (let round = 0; round < 8; round++) {
    const [first, ...more] = rest.map((word) => word.value.toLowerCase());
    if (first === 'call' || first === 'else') rest = rest.slice(1);
    else if (first === 'rem' || first?.startsWith('::') === true) return [];
    else if (first === 'for' && more.includes('do')) rest = rest.slice(more.indexOf('do') + 2);
    else if (first === 'if') {
      let at = 1;
      while (rest[at] !== undefined && /^(?:\/i|not)$/i.test(rest[at]?.value ?? '')) at++;
      const unary = /^(?:exist|defined|errorlevel)$/i.test(rest[at]?.value ?? '');
      const compared = /==/.test(rest[at]?.value ?? '');
      rest = rest.slice(at + (unary ? 2 : compared ? 1 : 3));
    } else return rest;
  }
  return rest;
}
