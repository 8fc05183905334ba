/**
 * The `transcript` of a conversation: every line entered at the chat prompt and every assistant message, newest last, capped
 * (250 elements, later 10000). It survives /clear and /compact and is the only place for approvals, slash commands, unanswered
 * prompts and request errors.
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/conversation.rs (append_*_transcript).
 */

export interface Token {
  readonly kind: 'user' | 'assistant' | 'program';
  /** Decoded text: without the `> ` form of user lines, without the tool suffix of assistant messages. */
  readonly text: string;
  /** Tool names of an assistant message; empty for `none`. */
  readonly tools: readonly string[];
}

// Kiro CLI leaves out the line feed where there is no text.
const TOOL_SUFFIX = /(?:^|\n)\[Tool uses: ([^\]\n]{0,10000})\]$/;

/**
 * One element. User lines are `> ` and the text, each line feed written as `> ` + line feed; assistant messages end with
 * `\n[Tool uses: none]` or the called names. The suffix decides, not the prefix: assistant text may start with `> ` too.
 */
export function readToken(element: string): Token {
  const suffix = element.endsWith(']') ? TOOL_SUFFIX.exec(element) : null;
  if (suffix) {
    const names = suffix[1] ?? '';
    return { kind: 'assistant', text: element.slice(0, suffix.index), tools: names === 'none' || names === '' ? [] : names.split(',') };
  }
  if (element.startsWith('> ')) return { kind: 'user', text: element.slice(2).replaceAll('> \n', '\n'), tools: [] };
  return { kind: 'program', text: element, tools: [] };
}

/** What alignment needs to know of the assistant message of a history entry. */
export interface AnswerFacts {
  readonly content: string;
  /** Id and name of each call. */
  readonly calls: readonly (readonly [string, string])[];
  /** Names as the model gave them, and as stored; both forms occur in transcripts after a rewrite. */
  readonly names: readonly string[];
  readonly storedNames: readonly string[];
}

/**
 * For each history entry the index of its transcript element, or -1. Walks from the end, where both are complete; an entry
 * or an element without partner is skipped, in favour of the choice that lets the neighbour match.
 */
export function align(tokens: readonly Token[], entries: readonly (AnswerFacts | undefined)[]): Int32Array {
  const places = new Int32Array(entries.length).fill(-1);
  const lookup = new LastPlaces(tokens);
  let at = tokens.length - 1;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i];
    if (entry === undefined) continue;
    while (at >= 0 && tokens[at]?.kind === 'user') at -= 1;
    if (at < 0) break;
    if (matches(tokens[at], entry)) {
      places[i] = at;
      at -= 1;
      continue;
    }
    const before = entries[i - 1];
    if (before !== undefined && matches(tokens[at], before)) continue;
    const found = lookup.upTo(entry, at);
    if (found < 0) continue;
    places[i] = found;
    at = found - 1;
  }
  return places;
}

function matches(token: Token | undefined, entry: AnswerFacts): boolean {
  if (token === undefined || token.kind === 'user' || token.text !== entry.content) return false;
  // An element without suffix is written by no released version; equal text is enough.
  if (token.kind === 'program') return true;
  return sameNames(token.tools, entry.names) || sameNames(token.tools, entry.storedNames) || entry.storedNames.includes('dummy');
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}

/** Places of each text, made only when the plain walk fails. */
class LastPlaces {
  private byText: Map<string, number[]> | undefined;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The last matching element at or before a place, or -1. */
  upTo(entry: AnswerFacts, limit: number): number {
    const places = this.index().get(entry.content) ?? [];
    for (let i = places.length - 1; i >= 0; i--) {
      const place = places[i];
      if (place === undefined || place > limit) continue;
      if (matches(this.tokens[place], entry)) return place;
    }
    return -1;
  }

  private index(): Map<string, number[]> {
    if (this.byText === undefined) {
      this.byText = new Map();
      for (const [place, token] of this.tokens.entries()) {
        if (token.kind === 'user') continue;
        const places = this.byText.get(token.text);
        if (places === undefined) this.byText.set(token.text, [place]);
        else places.push(place);
      }
    }
    return this.byText;
  }
}
