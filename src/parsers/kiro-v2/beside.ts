import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Instant } from '../../rows/time.js';
import type { Companions } from '../parser.js';
import { typedLines } from '../typed-lines.js';
import { quietJson } from '../whole-file.js';
import { sessionIdOf, stemOf } from './names.js';
import { type Turn, turnsOf } from './turn.js';

/** What the files beside a journal say about it. */
export interface SessionFacts {
  readonly id: string;
  readonly cwd: string;
  readonly parent: string;
  readonly turns: readonly Turn[];
  readonly turnOf: ReadonlyMap<string, Turn>;
  /** Time of the final answer of a turn, by message id. */
  readonly answerTimes: ReadonlyMap<string, Instant>;
  /** The last message the session file knows; empty if it knows none. */
  readonly lastId: string;
  /** There is a session file that can be read. */
  readonly told: boolean;
}

export const besideJournal = (name: string) => ['json', 'json.tmp', 'history'].map((ending) => `${stemOf(name)}.${ending}`);

/** Facts of the session file; of the one left over from its writing when there is no other. */
export function sessionFacts(name: string, companions: Companions): SessionFacts {
  const stem = stemOf(name);
  const stored = readQuietly(companions.get(`${stem}.json`)) ?? readQuietly(companions.get(`${stem}.json.tmp`));
  const { turns } = turnsOf(stored ?? {});
  const answers = turns.flatMap(({ answer }) =>
    answer?.time === undefined || answer.id === '' ? [] : [[answer.id, answer.time] as const],
  );
  return {
    id: textOf(stored?.session_id) || sessionIdOf(name),
    cwd: textOf(stored?.cwd),
    parent: textOf(stored?.parent_session_id),
    turns,
    turnOf: new Map(turns.flatMap((turn) => turn.ids.map((id) => [id, turn] as const))),
    answerTimes: new Map(answers),
    lastId: turns.flatMap(({ ids }) => ids).at(-1) ?? '',
    told: stored !== undefined,
  };
}

function readQuietly(source: FileSource | undefined): JsonObject | undefined {
  const value = quietJson(source);
  return isObject(value) ? value : undefined;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Tells which texts the prompt history of the session holds. Only digests are kept. */
export function typedTexts(name: string, companions: Companions): (text: string) => boolean {
  const history = companions.get(`${stemOf(name)}.history`);
  const held = new Set<string>();
  if (history !== undefined) {
    for (const entry of typedLines(history, true)) {
      if (!('text' in entry)) continue;
      held.add(digest(entry.text));
      held.add(digest(entry.written));
    }
  }
  return (text) => held.size > 0 && held.has(digest(text));
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64');
