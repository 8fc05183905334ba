import type { Word } from '../raw.js';
import { type Facts, has, type Invocation, tail, valuesOf } from './facts.js';

type Finder = (call: Invocation, facts: Facts) => void;

const all: Finder = (call, facts) => facts.read(call.options.operands);

const SEARCHERS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'ggrep', 'rg', 'ag', 'ack']);

/** `type` of other shells says what a name means. */
const printed: Finder = (call, facts) => {
  if (call.shell === 'cmd') all(call, facts);
};

/** The first operand is a pattern or a program unless an option gives it. */
function afterPattern(...given: readonly string[]): Finder {
  return (call, facts) => {
    const { operands } = call.options;
    facts.read(has(call.options, ...given) ? operands : operands.slice(1));
    if (SEARCHERS.has(call.name)) facts.recursive = has(call.options, '-r', '-R', '--recursive', '--dereference-recursive');
  };
}

/** `sed -i ''` of BSD: the empty word is the ending of the copy it keeps. */
function sed(call: Invocation, facts: Facts): void {
  const given = has(call.options, '-e', '--expression', '-f', '--file');
  const operands = call.options.operands.filter((word) => word.value !== '');
  const files = given ? operands : operands.slice(1);
  facts.read(files);
  if (has(call.options, '-i', '--in-place')) facts.write(files);
}

function perl(call: Invocation, facts: Facts): void {
  if (!has(call.options, '-e', '-E')) return;
  if (has(call.options, '-n', '-p')) facts.read(call.options.operands);
  if (has(call.options, '-i')) facts.write(call.options.operands);
}

function sort(call: Invocation, facts: Facts): void {
  all(call, facts);
  facts.write(valuesOf(call.options, '-o', '--output'));
}

function tee(call: Invocation, facts: Facts): void {
  facts.write(call.options.operands);
}

/** `cp`, `mv`, `ln`, `install`: sources, then one target, or the target in `-t`. */
const copy: Finder = (call, facts) => {
  const sources = [...call.options.operands];
  const folder = valuesOf(call.options, '-t', '--target-directory')[0];
  const target = folder ?? (sources.length > 1 ? sources.pop() : undefined);
  facts.read(sources);
  facts.recursive = has(call.options, '-r', '-R', '-a', '--recursive', '--archive', '/e', '/s', '-recurse');
  facts.force = has(call.options, '-f', '--force', '-force', '/y');
  if (target !== undefined) writeInto(target, sources, facts, folder !== undefined);
};

/** In a folder the files keep their names: those are written, too. */
function writeInto(target: Word, sources: readonly Word[], facts: Facts, isFolder: boolean): void {
  facts.write([target]);
  if (!isFolder && sources.length < 2 && !/[\\/]$/.test(target.value) && !/^\.{1,2}$/.test(target.value)) return;
  const folder = target.value.replace(/[\\/]+$/, '');
  for (const source of sources) {
    const name = /[^\\/]+(?=[\\/]*$)/.exec(source.value)?.[0];
    if (name !== undefined && name !== '.' && name !== '..') facts.write([{ ...target, value: `${folder}/${name}` }]);
  }
}

function install(call: Invocation, facts: Facts): void {
  if (!has(call.options, '-d', '--directory')) copy(call, facts);
}

function remove(call: Invocation, facts: Facts): void {
  facts.delete(call.options.operands);
  facts.recursive = has(call.options, '-r', '-R', '--recursive', '/s', '-recurse');
  facts.force = has(call.options, '-f', '--force', '/q', '/f');
}

function removeFolder(call: Invocation, facts: Facts): void {
  facts.delete(call.options.operands);
  facts.recursive = has(call.options, '/s');
  facts.force = has(call.options, '/q');
}

function trash(call: Invocation, facts: Facts): void {
  facts.delete(call.options.operands);
  facts.recursive = true;
}

function shred(call: Invocation, facts: Facts): void {
  if (has(call.options, '-u', '--remove')) facts.delete(call.options.operands);
  else facts.write(call.options.operands);
  facts.force = has(call.options, '-f', '--force');
}

function truncate(call: Invocation, facts: Facts): void {
  facts.write(call.options.operands);
}

function dd(call: Invocation, facts: Facts): void {
  for (const word of call.options.operands) {
    if (word.value.startsWith('if=')) facts.read([tail(word, 3)]);
    else if (word.value.startsWith('of=')) facts.write([tail(word, 3)]);
  }
}

function tar(call: Invocation, facts: Facts): void {
  const bundle = call.args[0]?.value ?? '';
  const old = /^[a-zA-Z]+$/.test(bundle) && /[cxtru]/.test(bundle);
  const operands = [...call.options.operands];
  const letters = old ? bundle : call.options.flags.filter((flag) => !flag.startsWith('--')).join('');
  if (old) operands.shift();
  const archives = [...valuesOf(call.options, '-f', '--file'), ...(old && bundle.includes('f') ? operands.splice(0, 1) : [])];
  const folders = valuesOf(call.options, '-C', '--directory');
  const named = archives.filter((word) => word.value !== '-');
  if (/[cru]/.test(letters) || has(call.options, '--create', '--append')) {
    facts.read(operands.map((word) => within(folders, word)));
    facts.write(named);
    facts.recursive = true;
  } else {
    facts.read(named);
    if (letters.includes('x') || has(call.options, '--extract', '--get')) facts.write(folders);
  }
}

function within(folders: readonly Word[], word: Word): Word {
  const folder = folders.at(-1);
  if (folder === undefined || /^[/~$]/.test(word.value)) return word;
  return { ...folder, value: word.value === '.' ? folder.value : `${folder.value.replace(/\/$/, '')}/${word.value}` };
}

function zip(call: Invocation, facts: Facts): void {
  const [archive, ...files] = call.options.operands;
  if (archive !== undefined) facts.write([archive]);
  facts.read(files);
  facts.recursive = has(call.options, '-r', '--recurse-paths');
}

function unzip(call: Invocation, facts: Facts): void {
  facts.read(call.options.operands.slice(0, 1));
  facts.write(valuesOf(call.options, '-d'));
}

function sevenZip(call: Invocation, facts: Facts): void {
  const [verb, archive, ...files] = call.options.operands;
  if (archive === undefined) return;
  if (verb?.value === 'a' || verb?.value === 'u') {
    facts.write([archive]);
    facts.read(files);
    facts.recursive = true;
  } else facts.read([archive]);
}

function sqlite(call: Invocation, facts: Facts): void {
  facts.read(call.options.operands.slice(0, 1));
}

/** Programs whose `-o` names the file they write. */
const output: Finder = (call, facts) => {
  facts.read(call.options.operands);
  facts.write(valuesOf(call.options, '-o', '--output'));
};

const input: Finder = (call, facts) => {
  facts.read(valuesOf(call.options, '-f', '--file', '-i', '--input'));
};

function gpg(call: Invocation, facts: Facts): void {
  facts.read(call.options.operands);
  facts.write(valuesOf(call.options, '-o', '--output'));
}

function sshKeygen(call: Invocation, facts: Facts): void {
  if (has(call.options, '-y', '-p', '-e')) facts.read(valuesOf(call.options, '-f'));
}

/** Programs that print, or show, the files they are given. */
const READERS =
  'cat tac less more most bat batcat head tail nl od hexdump hd xxd strings base64 base32 basenc gbase64 uniq wc cut paste comm cmp diff colordiff vimdiff iconv fold fmt pr expand column rev zcat gzcat bzcat xzcat zless zmore view vim vi nvim nano emacs ed xmllint csvlook uuencode shuf split csplit mdcat glow pygmentize highlight jless visidata pdftotext antiword'.split(
    ' ',
  );

export const FILE_FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>([
  ...READERS.map((name): [string, Finder] => [name, all]),
  ...[...SEARCHERS].map((name): [string, Finder] => [name, afterPattern('-e', '--regexp', '-f', '--file', '--files')]),
  ['type', printed],
  ['findstr', afterPattern('/c', '/g')],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name): [string, Finder] => [name, afterPattern('-f', '--file', '-e', '--source')]),
  ...['jq', 'yq', 'gojq'].map((name): [string, Finder] => [name, afterPattern('-f', '--from-file')]),
  ['sed', sed],
  ['gsed', sed],
  ['perl', perl],
  ['sort', sort],
  ['tee', tee],
  ['sponge', tee],
  ...['cp', 'mv', 'gcp', 'gmv', 'ditto', 'copy', 'xcopy', 'robocopy', 'move', 'ren'].map((name): [string, Finder] => [name, copy]),
  ['ln', copy],
  ['install', install],
  ...['rm', 'srm', 'grm', 'unlink', 'del', 'erase'].map((name): [string, Finder] => [name, remove]),
  ...['rmdir', 'rd'].map((name): [string, Finder] => [name, removeFolder]),
  ...['trash', 'trash-put', 'rimraf'].map((name): [string, Finder] => [name, trash]),
  ['shred', shred],
  ['truncate', truncate],
  ['dd', dd],
  ['tar', tar],
  ['bsdtar', tar],
  ['zip', zip],
  ['unzip', unzip],
  ...['7z', '7za', '7zr', '7zz', 'rar'].map((name): [string, Finder] => [name, sevenZip]),
  ...['gzip', 'bzip2', 'xz', 'zstd', 'gunzip', 'bunzip2', 'unxz', 'unzstd', 'lz4'].map((name): [string, Finder] => [name, output]),
  ['sqlite3', sqlite],
  ...['pandoc', 'gcc', 'g++', 'cc', 'c++', 'clang', 'clang++', 'age'].map((name): [string, Finder] => [name, output]),
  ...['gpg', 'gpg2'].map((name): [string, Finder] => [name, gpg]),
  ...['psql', 'patch'].map((name): [string, Finder] => [name, input]),
  ['ssh-keygen', sshKeygen],
  ['crontab', (call, facts) => facts.read(call.options.operands)],
]);
