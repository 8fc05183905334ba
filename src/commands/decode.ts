import { Buffer } from 'node:buffer';
import type { SimpleCommand } from './types.js';

/** Text that a pipeline is known to give, since it stands in the command line itself. */
export interface KnownText {
  readonly text: string;
  readonly encoded: boolean;
}

/** What the last of some commands prints, where the line itself tells: `echo TEXT`, `printf TEXT`, `cat <<END`, and `base64 -d` of those. */
export function knownOutput(commands: readonly SimpleCommand[], depth = 0): KnownText | undefined {
  const last = commands.at(-1);
  if (last === undefined || depth > 4) return undefined;
  const literal = literalOutput(last);
  if (literal !== undefined) return { text: literal, encoded: false };
  const decoder = decoderOf(last);
  if (decoder === undefined) return undefined;
  const source = last.heredoc === '' ? knownOutput(last.upstream, depth + 1) : { text: last.heredoc, encoded: false };
  if (source === undefined) return undefined;
  const text = decoder(source.text);
  return text === '' ? undefined : { text, encoded: true };
}

function literalOutput(command: SimpleCommand): string | undefined {
  switch (command.name) {
    case 'echo':
    case 'write-output':
      return unescape(command.args.filter((arg, index) => index > 1 || !/^-[neE]+$/.test(arg)).join(' '));
    case 'printf': {
      const [format = '', ...rest] = command.args.filter((arg) => arg !== '--');
      let next = 0;
      return unescape(format.replace(/%[sbq]/g, () => rest[next++] ?? ''));
    }
    case 'cat':
      return command.heredoc !== '' && command.reads.length === 0 ? command.heredoc : undefined;
    default:
      return undefined;
  }
}

function unescape(text: string): string {
  return text.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

function decoderOf(command: SimpleCommand): ((text: string) => string) | undefined {
  const has = (...flags: readonly string[]): boolean => flags.some((flag) => command.flags.includes(flag));
  switch (command.name) {
    case 'base64':
    case 'gbase64':
      return has('-d', '-D', '--decode') ? base64 : undefined;
    case 'openssl':
      return has('-d') && command.ops[0] !== undefined && /^(?:base64|enc)$/.test(command.ops[0]) ? base64 : undefined;
    case 'xxd':
      return has('-r') ? (text) => Buffer.from(text.replace(/\s/g, ''), 'hex').toString('utf8') : undefined;
    case 'rev':
      return (text) =>
        text
          .split('\n')
          .map((line) => [...line].reverse().join(''))
          .join('\n');
    default:
      return undefined;
  }
}

function base64(text: string): string {
  const compact = text.replace(/\s/g, '');
  return /^[A-Za-z0-9+/_-]+=*$/.test(compact) ? Buffer.from(compact, 'base64').toString('utf8') : '';
}

/** The script of `-EncodedCommand`: Base64 of UTF-16LE. */
export function decodePowerShell(text: string): string {
  const compact = text.replace(/\s/g, '');
  return /^[A-Za-z0-9+/]+=*$/.test(compact) ? Buffer.from(compact, 'base64').toString('utf16le') : '';
}
