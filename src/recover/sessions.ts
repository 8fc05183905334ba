import type { Candidate } from './collect.js';
import type { LostSession } from './types.js';

/** So many are listed; a hostile file may name any number. */
const MOST_LISTED = 200;
const MOST_POSSIBLE = 8;

/** Conversations that are known by their id although no row gives their value, each with what was found of it. */
export function lostSessions(settled: readonly Candidate[]): readonly LostSession[] {
  const objects = new Map<string, number>();
  for (const { kind, conversation } of settled) {
    if (kind !== 'head' && conversation !== '') objects.set(conversation, (objects.get(conversation) ?? 0) + 1);
  }
  const heads = settled.filter(({ kind, conversation }) => kind === 'head' && conversation !== '');
  return heads
    .slice(0, MOST_LISTED)
    .map(({ conversation: id, project, region }) => ({ session_id: id, project_path: project, region, objects: objects.get(id) ?? 0 }));
}

/**
 * What bears no id but a directory may belong to any conversation of that directory. All of them are named, the lost ones and
 * those that rows hold: the bytes do not tell which it was.
 */
export function namePossible(settled: readonly Candidate[], live: ReadonlyMap<string, string>): void {
  const without = settled.filter(({ conversation, project }) => conversation === '' && project !== '');
  if (without.length === 0) return;
  const places = new Map<string, string[]>();
  const put = (id: string, directory: string) => {
    const ids = places.get(directory);
    if (ids === undefined) places.set(directory, [id]);
    else if (ids.length < MOST_POSSIBLE && !ids.includes(id)) ids.push(id);
  };
  for (const { kind, conversation, project } of settled)
    if (kind === 'head' && conversation !== '' && project !== '') put(conversation, project);
  if (places.size === 0) return;
  for (const [id, directory] of live) put(id, directory);
  for (const candidate of without) candidate.possible = places.get(candidate.project) ?? [];
}
