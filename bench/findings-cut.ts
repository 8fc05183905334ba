/**
 * Cuts commands out of folders of public or installed material, as a body for `npm run bench:findings`. Bodies are not committed.
 *
 *   tsx bench/findings-cut.ts --kind scripts|ci|images|packages|documents --out BODY.jsonl FOLDER...
 *
 * scripts: statements of shell scripts, those inside of functions one by one. ci: steps of workflow files. images: `RUN` of
 * Dockerfiles. packages: `scripts` of package.json. documents: shell blocks of Markdown, and `command` of JSON lines.
 * Writes one `{"command","file"}` a line, each command once, and says how much that was.
 */
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, type SyntaxNode } from 'unbash';
import { parseAllDocuments } from 'yaml';

const LARGEST = 1 << 20;

type Cut = (text: string) => string[];

interface Kind {
  /** Whether a file is of the kind, by its name, or else by its first line. */
  readonly name: RegExp;
  readonly start?: RegExp;
  readonly cut: Cut;
}

const KINDS: Readonly<Record<string, Kind>> = {
  scripts: { name: /\.(?:sh|bash)$/, start: /^#! ?\/(?:usr\/)?bin\/(?:env )?(?:ba|da|k|z)?sh\b/, cut: statements },
  ci: { name: /^(?:.*\/\.github\/workflows\/.*|.*\/\.gitlab-ci|.*\/\.travis|.*\/action|.*\/azure-pipelines)\.ya?ml$/, cut: steps },
  images: { name: /\/(?:Dockerfile|Containerfile)[^/]*$|\.dockerfile$/i, cut: runs },
  packages: { name: /\/package\.json$/, cut: packageScripts },
  documents: { name: /\.(?:md|jsonl)$/, cut: documents },
};

/** Statements of a script. A function is a statement only in form: what it holds is taken instead. */
function statements(text: string): string[] {
  const open: SyntaxNode[] = [parse(text)];
  const found: string[] = [];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.type === 'Script' || part.type === 'CompoundList') open.push(...part.commands);
    else if (part.type === 'Function' || part.type === 'BraceGroup') open.push(part.body);
    else if (part.type === 'Statement' && (part.command.type === 'Function' || part.command.type === 'BraceGroup')) open.push(part.command);
    else found.push(text.slice(part.pos, part.end));
  }
  return found.reverse();
}

/** Texts under `run`, and lists under `script` and its like. Expressions of the workflow language become a word. */
function steps(text: string): string[] {
  const found: string[] = [];
  const open: unknown[] = parseAllDocuments(text).map((document): unknown => document.toJS({ maxAliasCount: 100 }));
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (/^(?:run|script|bash|before_script|after_script|before_install|install)$/.test(key))
        found.push(...[inner].flat().filter((step): step is string => typeof step === 'string'));
      if (inner !== undefined) open.push(inner);
    }
  }
  return found.map((step) => step.replace(/\$\{\{[^}]*\}\}/g, 'EXPRESSION'));
}

function runs(text: string): string[] {
  const joined = text.replace(/^\s*#.*\n/gm, '').replace(/\\\r?\n/g, ' ');
  return [...joined.matchAll(/^[ \t]*RUN[ \t]+((?:--\S+[ \t]+)*)(.+)$/gim)].map(([, , command = '']) => execForm(command));
}

function execForm(command: string): string {
  if (!command.startsWith('[')) return command;
  const words = json(command);
  return Array.isArray(words) ? words.join(' ') : command;
}

function packageScripts(text: string): string[] {
  const value = json(text);
  if (typeof value !== 'object' || value === null || !('scripts' in value)) return [];
  return typeof value.scripts === 'object' && value.scripts !== null
    ? Object.values(value.scripts).filter((script): script is string => typeof script === 'string')
    : [];
}

function documents(text: string): string[] {
  if (text.startsWith('{')) return text.split('\n').flatMap((line) => commandsIn(json(line)));
  const blocks = [...text.matchAll(/^[ \t]*```(?:ba|z)?sh(?:ell)?[^\n]*\n([\s\S]*?)^[ \t]*```/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) => statements(block.replace(/^[ \t]*[$>%] /gm, '')));
}

function commandsIn(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'command' && typeof inner === 'string') found.push(inner);
      if (inner !== undefined) open.push(inner);
    }
  }
  return found;
}

function json(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function* filesBelow(folder: string): Generator<string> {
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true && stat.size <= LARGEST) yield path;
    if (stat?.isDirectory() !== true || basename(path) === '.git') continue;
    for (const name of readdirSync(path).sort().reverse()) open.push(join(path, name));
  }
}

function textOf(path: string, { name, start }: Kind): string | undefined {
  const named = name.test(path);
  if (!named && (start === undefined || basename(path).includes('.'))) return undefined;
  const bytes = readFileSync(path);
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return named || start?.test(text) === true ? text : undefined;
}

const { values, positionals } = parseArgs({ options: { kind: { type: 'string' }, out: { type: 'string' } }, allowPositionals: true });
const kind = KINDS[values.kind ?? ''];
if (kind === undefined || values.out === undefined || positionals.length === 0)
  throw new Error(`usage: findings-cut --kind ${Object.keys(KINDS).join('|')} --out FILE FOLDER...`);
const seen = new Map<string, string>();
let files = 0;
let all = 0;
for (const path of positionals.flatMap((folder) => [...filesBelow(folder)])) {
  const text = textOf(path, kind);
  if (text === undefined) continue;
  files += 1;
  for (const command of cutOf(kind, text, path)) {
    all += 1;
    if (command.trim() !== '' && !seen.has(command.trim())) seen.set(command.trim(), path);
  }
}
const cut = `${values.kind}: ${files} files, ${all} commands, ${seen.size} different ones`;
writeFileSync(
  values.out,
  `${JSON.stringify({ cut })}\n${[...seen].map(([command, file]) => `${JSON.stringify({ command, file })}\n`).join('')}`,
);
console.log(cut);

function cutOf({ cut }: Kind, text: string, path: string): string[] {
  try {
    return cut(text);
  } catch (error) {
    console.error(`left out: ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
