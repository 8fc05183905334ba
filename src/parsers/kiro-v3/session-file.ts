import { z } from 'zod';
import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import { typed } from '../json-store.js';
import { quietJson } from '../whole-file.js';

/** `session.json`: every key but the id is optional (older and redacted files lack most of them). */
export const SessionSchema = z.looseObject({
  id: z.string().nullish(),
  title: z.string().nullish(),
  agentMode: z.string().nullish(),
  workspacePaths: z.array(z.string()).nullish(),
  createdAt: z.string().nullish(),
  lastModifiedAt: z.string().nullish(),
  modelId: z.string().nullish(),
  autopilot: z.boolean().nullish(),
  status: z.string().nullish(),
  parentSessionId: z.string().nullish(),
  createdReason: z.string().nullish(),
});

/** What the metadata file says of the rows of the log beside it. */
export interface SessionFacts {
  readonly id: string;
  readonly project: string;
  readonly parent: string;
  /** Made from another session: its first rows are copies of that one's. */
  readonly forked: boolean;
}

const FORKS = new Set(['tangent', 'rewind', 'thread']);
const NOTHING: SessionFacts = { id: '', project: '', parent: '', forked: false };

export function factsOf(fields: z.output<typeof SessionSchema>): SessionFacts {
  const { id, workspacePaths, parentSessionId, createdReason } = fields;
  return {
    id: id ?? '',
    project: workspacePaths?.[0] ?? '',
    parent: parentSessionId ?? '',
    forked: FORKS.has(createdReason ?? ''),
  };
}

/** Facts of a metadata file that is only looked at; one that is missing or damaged says nothing (its own rows say why). */
export function readFacts(source: FileSource | undefined): SessionFacts {
  const value = quietJson(source);
  return isObject(value) ? factsOf(typed(SessionSchema, value).fields) : NOTHING;
}
