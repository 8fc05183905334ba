import { checkedDocument } from '../src/analyze/rules/check.js';
import { catalogRuleDocuments } from '../src/analyze/rules/load.js';
import { alone, catalog, found } from '../test/analyze/rules-support.js';
import { isLoud, levelOf } from './findings-body.js';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const encoded = (text: string) => Buffer.from(text).toString('base64');

/** One command in other clothes. */
const WRAPPINGS: Readonly<Record<string, (command: string) => string>> = {
  'cd first': (command) => `cd . && ${command}`,
  '|| true': (command) => `${command} || true`,
  subshell: (command) => `( ${command} )`,
  braces: (command) => `{ ${command}; }`,
  if: (command) => `if true; then ${command}; fi`,
  for: (command) => `for i in 1; do ${command}; done`,
  function: (command) => `f() { ${command}; }; f`,
  'bash -c': (command) => `bash -c ${quoted(command)}`,
  'sudo sh -c': (command) => `sudo sh -c ${quoted(command)}`,
  eval: (command) => `eval ${quoted(command)}`,
  'here-document': (command) => `bash <<'END_OF_IT'\n${command}\nEND_OF_IT`,
  background: (command) => `${command} &`,
  'timeout env bash': (command) => `timeout 60 env A=b bash -lc ${quoted(command)}`,
  'docker exec': (command) => `docker exec web sh -c ${quoted(command)}`,
  Base64: (command) => `echo ${encoded(command)} | base64 -d | sh`,
};

/** One command as a text that is not run. */
const MENTIONS: Readonly<Record<string, (command: string) => string>> = {
  echo: (command) => `echo ${quoted(command)}`,
  grep: (command) => `grep -rn ${quoted(command)} docs/`,
  'commit message': (command) => `git commit -m ${quoted(`explain ${command}`)}`,
  comment: (command) => `ls # ${command}`,
  'here-document': (command) => `cat > notes.md <<'END_OF_IT'\n${command}\nEND_OF_IT`,
  printf: (command) => `printf '%s\\n' ${quoted(command)}`,
  'Python string': (command) => `python3 -c ${quoted(`print(${JSON.stringify(command)})`)}`,
};

export interface Sampled {
  readonly rule: string;
  readonly command: string;
}

/** Samples of one line for POSIX shells that a rule of medium or above finds by themselves. */
export function posixSamples(): Sampled[] {
  const rules = catalogRuleDocuments(catalog).flatMap((document) => checkedDocument(document, []).rules.map(({ rule }) => rule));
  return rules
    .filter(({ level, match }) => match !== undefined && level !== 'low' && level !== 'info')
    .flatMap(({ id, samples }) =>
      samples.match.flatMap((sample) => (typeof sample === 'string' && isPosix(sample) ? [{ rule: id, command: sample }] : [])),
    );
}

const isPosix = (command: string) =>
  !/\n|<<|[A-Z]:\\|\b(?:powershell|pwsh|cmd|reg|schtasks|vssadmin|wevtutil)\b|^[A-Z][a-z]+-[A-Z]|\$env:|%\w+%/i.test(command);

export interface Count {
  readonly name: string;
  readonly all: number;
  /** Variants that went against the expectation. */
  readonly wrong: readonly Sampled[];
}

/** Wrapped commands that the rule of the bare one no longer finds. */
export function wrapped(samples: readonly Sampled[]): Count[] {
  return Object.entries(WRAPPINGS).map(([name, wrap]) => {
    const variants = samples.map(({ rule, command }) => ({ rule, command: wrap(command) }));
    return { name, all: variants.length, wrong: variants.filter(({ rule, command }) => !found(command, alone(rule)).includes(rule)) };
  });
}

/** Commands that are only named, and that a rule of high or critical finds. */
export function mentioned(samples: readonly Sampled[]): Count[] {
  return Object.entries(MENTIONS).map(([name, mention]) => {
    const wrong = samples.flatMap(({ command }) =>
      found(mention(command))
        .filter(isLoud)
        .slice(0, 1)
        .map((rule) => ({ rule: `${rule} (${levelOf(rule)})`, command: mention(command) })),
    );
    return { name, all: samples.length, wrong };
  });
}
