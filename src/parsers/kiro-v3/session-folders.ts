import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { NOT_COLLECTED, namesBeside, WHY_MISSING, WHY_UNLISTED } from '../beside.js';
import { pairs } from '../json-store.js';
import { isSessionName } from './place.js';

const SESSIONS = '../sessions';

type Place = Pick<Draft, 'source_line' | 'source_offset' | 'source_pointer'>;

interface Listed {
  readonly place: Place;
  readonly removed: boolean;
}

/** Sets the sessions that a list of one bucket names against the folders in `sessions/<bucket>`. */
export class SessionFolders {
  private readonly listed = new Map<string, Listed>();
  private readonly bucket: string;
  private buckets: Map<string, string> | undefined;

  constructor(private readonly source: FileSource) {
    const { file } = source.artifact;
    this.bucket = file.slice(file.lastIndexOf('/') + 1).replace(/\.jsonl?$/i, '');
  }

  /** The last word on a session counts. */
  list(session: string, place: Place, removed = false): void {
    if (session !== '') this.listed.set(session, { place, removed });
  }

  /** What does not agree. `both`: the list is meant to name every session of its bucket. */
  *mismatches(both: boolean): Generator<Draft> {
    if (namesBeside(this.source, SESSIONS) === undefined) {
      if (this.listed.size === 0) return;
      const text = `gap: folder of the listed sessions was not collected sessions=${this.listed.size}`;
      yield { row_type: 'gap', text, newRun: true, problem: NOT_COLLECTED };
      return;
    }
    const own = namesBeside(this.source, `${SESSIONS}/${this.bucket}`) ?? new Set();
    for (const [session, listed] of this.listed) {
      const row = this.mismatch(session, listed, own.has(`${session.toLowerCase()}/`));
      if (row !== undefined) yield { ...row, session_id: session, newRun: true, ...listed.place };
    }
    if (both) yield* this.unlisted(own);
  }

  private mismatch(session: string, { removed }: Listed, there: boolean): Draft | undefined {
    if (removed && there) {
      const problem = 'it was taken from the list, or the folder was put back: which is not recorded';
      return { row_type: 'session', text: `session: removed from index, its folder is there${pairs({ session })}`, problem };
    }
    if (removed || there) return undefined;
    const bucket = this.elsewhere(session);
    if (bucket !== undefined) {
      const problem = 'the folder was moved, or the paths of its workspace were changed: which is not recorded';
      return { row_type: 'gap', text: `gap: session listed, its folder lies in another bucket${pairs({ session, bucket })}`, problem };
    }
    return { row_type: 'gap', text: `gap: session listed, its folder is not there${pairs({ session })}`, problem: WHY_MISSING };
  }

  private *unlisted(own: ReadonlySet<string>): Generator<Draft> {
    const known = new Set([...this.listed.keys()].map((session) => `${session.toLowerCase()}/`));
    for (const name of own) {
      if (!name.endsWith('/') || known.has(name) || !isSessionName(name)) continue;
      const session = name.slice(0, -1);
      const text = `gap: session folder not listed in the index${pairs({ session })}`;
      yield {
        row_type: 'gap',
        text,
        session_id: session,
        newRun: true,
        problem: `sessions of the IDE are not always listed; ${WHY_UNLISTED}`,
      };
    }
  }

  /** The bucket that holds a session which is not in this one. */
  private elsewhere(session: string): string | undefined {
    this.buckets ??= new Map(this.folders());
    return this.buckets.get(`${session.toLowerCase()}/`);
  }

  /** Every folder in a bucket, with that bucket. */
  private *folders(): Generator<[string, string]> {
    for (const [folder, names] of this.source.artifact.listing ?? []) {
      if (folder === SESSIONS) continue;
      for (const name of names) yield [name.toLowerCase(), folder.slice(SESSIONS.length + 1)];
    }
  }
}
