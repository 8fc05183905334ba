import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import { pairs, problems } from '../json-store.js';
import type { FileParser } from '../parser.js';
import { intentOf, nameOf, projectOf, wholeText } from './text.js';

// *-questions.md: questions of a stage with `[Answer]:` lines. They prove which answer the workflow went on with. They cannot show
// who wrote it: the file is edited by a person or by the agent. An answer has no time. Evidence: L4, awslabs/aidlc-workflows:
// docs/guide/14-artifacts-reference.md.

export const aiDlcQuestions: FileParser = { id: 'ai-dlc-questions', container: 'file', parse };

const MOST_LINES = 200;
const ANSWER = /^\s*(?:[-*]\s+)?\[Answer\]:\s?(.*)$/i;

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const whole = yield* wholeText(source, 'AI-DLC questions');
  if (whole === undefined) return;
  const lines = whole.text.split(/\r?\n/);
  const answers = lines.flatMap((line, i) => {
    const answer = ANSWER.exec(line)?.[1];
    return answer === undefined ? [] : [{ answer: [answer, ...following(lines, i + 1)].join('\n').trim(), line: i + 1 }];
  });
  const given = answers.filter(({ answer }) => answer !== '');
  const columns = { ...projectOf(artifact) };
  yield {
    row_type: 'session',
    text: `session: questions${pairs({ file: nameOf(artifact), questions: answers.length, answered: given.length })}: ${whole.text}`,
    time: artifact.mtime,
    origin: 'agent',
    ...columns,
    problem: whole.problem,
    details: intentOf(artifact),
  };
  for (const { answer, line } of given) {
    yield {
      row_type: 'prompt',
      text: answer,
      origin: 'unknown',
      source_line: line,
      ...columns,
      problem: problems('an answer in a file that person and agent can edit: who wrote it, and when, is not recorded', whole.problem),
      details: { question: questionAbove(lines, line - 1), ...intentOf(artifact) },
    };
  }
}

/** Lines that go on with an answer: up to an empty one, a heading or the next answer. */
function following(lines: readonly string[], from: number): string[] {
  const more: string[] = [];
  for (const line of lines.slice(from, from + MOST_LINES)) {
    if (line.trim() === '' || line.startsWith('#') || ANSWER.test(line)) break;
    more.push(line);
  }
  return more;
}

/** The heading an answer stands under, with what follows it. */
function questionAbove(lines: readonly string[], at: number): string {
  const above: string[] = [];
  for (let i = at - 1; i >= 0 && above.length < MOST_LINES; i -= 1) {
    const line = lines[i] ?? '';
    if (ANSWER.test(line)) break;
    above.unshift(line);
    if (/^#{1,6}\s/.test(line)) break;
  }
  return above.join('\n').trim();
}
