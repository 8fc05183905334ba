/** How PowerShell is started: with a script in an encoding, in its arguments, in a file, or none. */
export interface PowerShellStart {
  readonly kind: 'encoded' | 'command' | 'file' | 'none';
  /** Where the script begins among the arguments. */
  readonly at: number;
}

const VALUED =
  '-executionpolicy -ep -ex -windowstyle -version -inputformat -outputformat -configurationname -configurationfile -custompipename -workingdirectory -wd -psconsolefile -settingsfile'.split(
    ' ',
  );

/** Any beginning of an option's name will do, and `/` for `-`. */
export function startOf(args: readonly string[]): PowerShellStart {
  for (let at = 0; at < args.length; at++) {
    const text = (args[at] ?? '').toLowerCase().replace(/^[/–—]/, '-');
    if (!text.startsWith('-') || text === '-') return { kind: text === '-' ? 'none' : 'command', at };
    if (text === '-ec' || (text.length > 1 && '-encodedcommand'.startsWith(text))) return { kind: 'encoded', at: at + 1 };
    if (text.length > 1 && '-command'.startsWith(text)) return { kind: args[at + 1] === '-' ? 'none' : 'command', at: at + 1 };
    if (text.length > 1 && '-file'.startsWith(text)) return { kind: 'file', at: at + 1 };
    if (VALUED.some((option) => text.length > 1 && option.startsWith(text))) at++;
  }
  return { kind: 'none', at: args.length };
}
