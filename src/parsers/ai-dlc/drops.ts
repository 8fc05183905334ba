import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { errorDraft } from '../../rows/problem.js';
import { fromRfc3339 } from '../../rows/time.js';
import { problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { decodedLine, intentOf, nameOf, projectOf } from './text.js';

// <hook>.drops: one line for each payload a hook of AI-DLC could not use. It proves that a tool ran whose record is missing from
// the audit, and can hold the first 120 characters of a result that nothing else holds.
// The form of a line is not known beyond its message: a time ahead of it is taken where there is one. Without one the line is
// undated; the time of the file is that of the last line only.
// Evidence: L4, awslabs/aidlc-workflows: harness/kiro-ide/hooks/aidlc-kiro-adapter.ts.

export const aiDlcDrops: FileParser = { id: 'ai-dlc-drops', container: 'file', parse };

const STAMP = /^\[?(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d))\]?/;
const NO_PATH = /(?:^|[\s:|])(\S{1,100}) yielded no extractable path from toolResult: (.*)$/s;

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const hook = nameOf(artifact).replace(/\.drops$/i, '');
  for (const line of source.lines()) {
    const place = { source_line: line.number, source_offset: line.offset, ...projectOf(artifact) };
    if (line.tooLong !== undefined) {
      yield { ...errorDraft(`drop line of ${line.tooLong} bytes is too long to be read`, line.bytes, place), ...place };
      continue;
    }
    const { text, problem } = decodedLine(line);
    if (text.trim() === '') continue;
    const stamp = STAMP.exec(text)?.[1];
    const time = stamp === undefined ? undefined : fromRfc3339(stamp, 'record');
    const [, tool = '', fragment] = NO_PATH.exec(text) ?? [];
    yield {
      row_type: 'log',
      text: `hook drop: ${text}`,
      time,
      origin: 'automatic',
      tool_name: tool,
      ...place,
      problem: problems('a payload could not be used: its call is missing from the audit', !time && 'no time is recorded', problem),
      details: {
        hook,
        ...(fragment === undefined ? {} : { result_fragment: fragment }),
        ...(time || artifact.mtime === undefined ? {} : { window: { before: artifact.mtime.original } }),
        ...intentOf(artifact),
      },
    };
  }
}
