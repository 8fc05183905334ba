import type { Shell, Word } from '../raw.js';
import { isCmdlet } from '../windows/aliases.js';
import { type OptionStyle, styleOf, subStyle } from './table.js';

/** The arguments of a command, told apart. */
export interface Options {
  readonly flags: readonly string[];
  /** Words given to options, by option. */
  readonly values: ReadonlyMap<string, readonly Word[]>;
  readonly operands: readonly Word[];
}

/** Reads the arguments of a program by its entry in the table; of an unknown program by custom. */
export function readOptions(name: string, args: readonly Word[], shell: Shell): Options {
  const reader = new Reader(name, args);
  if (shell === 'powershell' && isCmdlet(name)) reader.readCmdlet();
  else reader.read(shell === 'cmd');
  return reader;
}

/** Switches of cmdlets: parameters that take no value. */
const SWITCHES = new Set(
  '-recurse -force -verbose -debug -whatif -usebasicparsing -raw -asplaintext -passthru -append -noclobber -nonewline -allmatches -casesensitive -simplematch -quiet -list -notmatch -hidden -file -directory -container -wait -nonewwindow -asjob -allowclobber -skippublishercheck -acceptlicense -useculture -notypeinformation -skipcertificatecheck -usedefaultcredentials -disablekeepalive -compress -astask -unique -descending -online'.split(
    ' ',
  ),
);

class Reader implements Options {
  readonly flags: string[] = [];
  readonly values = new Map<string, Word[]>();
  readonly operands: Word[] = [];
  private style: OptionStyle;
  private next = 0;

  constructor(
    private readonly name: string,
    private readonly args: readonly Word[],
  ) {
    this.style = styleOf(name);
  }

  read(cmd: boolean): void {
    const slash = this.style.program.slash === true || cmd;
    while (this.next < this.args.length) {
      const word = this.args[this.next++];
      if (word === undefined) break;
      const text = word.value;
      if (text === '--') return this.rest();
      if (slash && /^\/[?A-Za-z][\w-]*(?::.*)?$/.test(text)) this.slashOption(word);
      else if (text.length < 2 || !this.isOption(text)) {
        if (this.style.program.pathsFirst === true && this.flags.length > 0) continue;
        const before = this.style;
        this.operand(word);
        if (this.style === before && before.program.firstOperand === true) return this.rest();
      } else if (text.startsWith('--') || this.style.program.single === true) this.long(word);
      else this.cluster(word);
    }
  }

  /** `-Name value`, `-Name:value`, switches; names lower case, as PowerShell does not tell case apart. */
  readCmdlet(): void {
    while (this.next < this.args.length) {
      const word = this.args[this.next++];
      if (word === undefined) break;
      const match = /^[-–—]([A-Za-z]\w*)(?::(.*))?$/s.exec(word.value);
      if (match === null || word.raw.startsWith("'") || word.raw.startsWith('"')) {
        this.operands.push(word);
        continue;
      }
      const flag = `-${(match[1] ?? '').toLowerCase()}`;
      this.flags.push(flag);
      if (match[2] !== undefined && match[2] !== '') this.value(flag, { ...word, value: match[2] });
      else if (!SWITCHES.has(flag) && !abbreviates(flag)) this.takeNext(flag, /^-[A-Za-z]/);
    }
  }

  private isOption(text: string): boolean {
    const first = text.charCodeAt(0);
    return first === DASH || (first === PLUS && PLUS_PROGRAMS.has(this.name));
  }

  private operand(word: Word): void {
    this.operands.push(word);
    if (this.operands.length > 2) return;
    const key = this.operands.reduce((name, operand) => `${name} ${operand.value}`, this.name);
    this.style = subStyle(key) ?? this.style;
  }

  private rest(): void {
    while (this.next < this.args.length) {
      const word = this.args[this.next++];
      if (word !== undefined) this.operands.push(word);
    }
  }

  private slashOption(word: Word): void {
    const colon = word.value.indexOf(':');
    const flag = (colon < 0 ? word.value : word.value.slice(0, colon)).toLowerCase();
    this.flags.push(flag);
    if (colon >= 0) this.value(flag, { ...word, value: word.value.slice(colon + 1) });
  }

  private long(word: Word): void {
    const equals = word.value.indexOf('=');
    const flag = equals < 0 ? word.value : word.value.slice(0, equals);
    this.flags.push(flag);
    if (equals >= 0) this.value(flag, { ...word, value: word.value.slice(equals + 1) });
    else if (this.style.valued.has(flag)) this.takeNext(flag);
    else if (this.style.program.longValued === true && !this.style.plain.has(flag) && !flag.startsWith('--no-')) this.takeNext(flag, /^--/);
  }

  /** `-xzf FILE`: letters up to one that takes a value; the rest of the word, or the next word, is that value. */
  private cluster(word: Word): void {
    const text = word.value;
    if (this.style.valued.has(text) || /^-\d+$/.test(text)) {
      this.flags.push(text);
      if (this.style.valued.has(text)) this.takeNext(text);
      return;
    }
    const sign = text.charAt(0);
    for (let at = 1; at < text.length; at++) {
      const flag = sign + text.charAt(at);
      this.flags.push(flag);
      if (this.style.attached.has(flag)) {
        if (at + 1 < text.length) this.value(flag, { ...word, value: text.slice(at + 1) });
        return;
      }
      if (!this.style.valued.has(flag)) {
        if (text.charAt(at + 1) !== '=') continue;
        this.value(flag, { ...word, value: text.slice(at + 2) });
        return;
      }
      const attached = text.slice(at + 1);
      if (attached === '') this.takeNext(flag);
      else
        this.value(flag, { ...word, value: this.style.program.equals === true && attached.startsWith('=') ? attached.slice(1) : attached });
      return;
    }
  }

  private takeNext(flag: string, unless?: RegExp): void {
    const word = this.args[this.next];
    if (word === undefined || unless?.test(word.value) === true) return;
    this.next++;
    this.value(flag, word);
  }

  private value(flag: string, word: Word): void {
    const known = this.values.get(flag);
    if (known === undefined) this.values.set(flag, [word]);
    else known.push(word);
  }
}

const DASH = 45;
const PLUS = 43;
const PLUS_PROGRAMS = new Set(['set', 'declare', 'typeset', 'shopt', 'bash', 'sh', 'zsh', 'ksh', 'dash', 'ash', 'local', 'export']);

/** `-rec` is `-Recurse`, `-fo` is `-Force`. */
function abbreviates(flag: string): boolean {
  return flag.length >= 2 && ('-recurse'.startsWith(flag) || (flag.length >= 3 && '-force'.startsWith(flag)));
}
