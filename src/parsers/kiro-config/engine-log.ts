import { isObject } from '../../evidence/json.js';
import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { fromRfc3339 } from '../../rows/time.js';
import { type JsonRecord, jsonLines } from '../json-lines.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';

// .kiro/logs/<start>/kiro.log, mcp.log and powers.log: what the v3 engine did, one JSON object a line; one folder per start.
// It proves starts and saves of sessions, the client (`clientInfo.name: kiro-cli` tells the CLI from the IDE, which no session
// does), rulings of policy, starts of MCP servers, agent files that were passed over. It cannot show what was said in a session.
// Versions: v3 engine. Evidence: L4, layout and messages as described by others from samples.

const BEGIN = '{"timestamp":';
// `sessionId=<id>` in most messages, `Saved session <id> (` in one; other words are no ids.
const SESSION =
  /\b(?:sessionId[=:]\s?"?|[Ss]aved session )((?:sess_|cli_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:_\w{8})?)/;

export const kiroEngineLog: FileParser = { id: 'kiro-engine-log', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  for (const content of jsonLines(source, { begin: BEGIN })) yield 'error' in content ? content.error : recordRow(content.record);
}

function recordRow({ value, place, problem, damaged }: JsonRecord): Draft {
  const { timestamp, level, message, ...others } = isObject(value) ? value : {};
  const time = typeof timestamp === 'string' ? fromRfc3339(timestamp, 'record') : undefined;
  const said = typeof message === 'string' ? message : '';
  return {
    row_type: 'log',
    text: `log:${pairs({ level })}: ${said}`,
    time,
    origin: 'automatic',
    session_id: SESSION.exec(said.slice(0, 2000))?.[1] ?? '',
    problem: problems(!time && 'the time of the record is not a date', typeof message !== 'string' && 'no message', problem),
    details: {
      level,
      ...(time ? {} : { timestamp }),
      ...(typeof message === 'string' ? {} : { message }),
      ...(Object.keys(others).length > 0 ? { record: others } : {}),
    },
    ...place,
    ...damaged,
  };
}
