import type { SimpleCommand } from '../../commands/types.js';
import { kindOf } from '../touches.js';
import type { RowView } from '../view.js';
import type { MakeCheck } from './check.js';

const NONE: readonly RowView[] = [];
/** Claims are compared with what happened at most this many rows before. */
const WITHIN = 120;

const RUNNERS = new Set(['pytest', 'jest', 'vitest', 'mocha', 'tox', 'rspec', 'phpunit', 'ctest', 'ava', 'nosetests', 'unittest']);
const BUILDERS = new Set([
  'go',
  'cargo',
  'npm',
  'npx',
  'pnpm',
  'yarn',
  'bun',
  'gradle',
  'gradlew',
  'mvn',
  'mvnw',
  'make',
  'dotnet',
  'swift',
  'mix',
  'tsc',
  'cmake',
  'deno',
  'python',
  'python3',
  'uv',
  'poetry',
]);
const TASK = /(?:^|[\s:/._-])(?:tests?|check|verify|build|compile|pytest|unittest|jest|vitest|lint|tsc)(?:$|[\s:/._-])/;

const PASSED =
  /\b(?:all|the|every|both|unit|integration)?\s*(?:tests?|test suite|specs?|build|checks?|compilation)\b[^.!?\n]{0,40}\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|succeeded|green|successful(?:ly)?|works?)\b|\bbuild (?:is|was) (?:successful|clean)\b/i;
const NEGATED = /\b(?:not|n't|n’t|never|fail(?:s|ed|ing)?|once|when|if|until|should|will|would|to make|so that|before|after)\b/i;

/** The assistant says that tests or a build passed, and the last run on record failed. */
export const claimTests: MakeCheck = () => {
  const failing = new Map<string, { readonly view: RowView; readonly at: number }>();
  const counter = rowCounter();
  return {
    take(view) {
      const { row } = view;
      if (row.session_id === '') return NONE;
      const at = counter(row.session_id);
      if (row.row_type === 'tool_use') {
        if (!view.commands.some(isRun)) return NONE;
        const { exit_code, status } = view.joined;
        if (exit_code !== null && exit_code !== 0) failing.set(row.session_id, { view, at });
        // A run without a recorded end proves nothing, neither does it leave the failure as the last word.
        else if (exit_code === 0 || status !== 'failed') failing.delete(row.session_id);
        return NONE;
      }
      const run = failing.get(row.session_id);
      if (run === undefined || row.row_type !== 'assistant' || at - run.at > WITHIN || !claims(row.text)) return NONE;
      failing.delete(row.session_id);
      return [run.view, view];
    },
  };
};

function isRun(command: SimpleCommand): boolean {
  return RUNNERS.has(command.name) || (BUILDERS.has(command.name) && TASK.test(command.line));
}

/** A sentence that says so, without a word that takes it back or puts it in the future. */
function claims(text: string): boolean {
  return text
    .slice(0, 20_000)
    .split(/(?<=[.!?])\s|\n/)
    .some((sentence) => sentence.length < 400 && PASSED.test(sentence) && !NEGATED.test(sentence));
}

const WROTE =
  /\b(?:I(?:'ve| have)?\s+(?:now\s+|just\s+|also\s+)?(?:created|wrote|written|added|saved|updated|modified|edited|fixed)|(?:has|have) been (?:created|written|saved|updated))\b/i;

/** The assistant says that it wrote a file, and the write on record failed. */
export const claimWrite: MakeCheck = () => {
  const failed = new Map<string, Map<string, { readonly view: RowView; readonly at: number }>>();
  const counter = rowCounter();
  return {
    take(view) {
      const { row } = view;
      if (row.session_id === '') return NONE;
      const at = counter(row.session_id);
      if (row.row_type === 'tool_use' && kindOf(row.tool_name) === 'write') {
        const paths = failed.get(row.session_id) ?? new Map();
        for (const path of row.file_paths) {
          if (view.joined.status === 'failed' || view.joined.status === 'blocked') paths.set(path, { view, at });
          else paths.delete(path);
        }
        if (paths.size > 0) failed.set(row.session_id, paths);
        else failed.delete(row.session_id);
        return NONE;
      }
      const paths = failed.get(row.session_id);
      if (paths === undefined || row.row_type !== 'assistant' || !WROTE.test(row.text)) return NONE;
      const found = [...paths].find(([path, write]) => at - write.at <= WITHIN && says(row.text, path));
      if (found === undefined) return NONE;
      paths.delete(found[0]);
      return [found[1].view, view];
    },
  };
};

/** The sentence that claims a write names the file. */
function says(text: string, path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return text
    .slice(0, 20_000)
    .split(/(?<=[.!?])\s|\n/)
    .some((sentence) => name !== '' && sentence.includes(name) && WROTE.test(sentence) && !NEGATED.test(sentence));
}

/** Number of a row within its session. */
function rowCounter(): (session: string) => number {
  const numbers = new Map<string, number>();
  return (session) => {
    const at = (numbers.get(session) ?? 0) + 1;
    numbers.set(session, at);
    return at;
  };
}
