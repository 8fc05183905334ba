/** Colour for people at a terminal: never in a pipe or a file, and not where NO_COLOR or a dumb terminal asks for none. */
type Tone = 'bold' | 'dim' | 'red' | 'yellow' | 'green';
export type Paint = (tone: Tone, text: string) => string;

const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
};

export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  const { NO_COLOR, TERM } = process.env;
  const plain = stream.isTTY !== true || TERM === 'dumb' || (NO_COLOR !== undefined && NO_COLOR !== '');
  return plain ? (_, text) => text : (tone, text) => `\u001b[${CODES[tone][0]}m${text}\u001b[${CODES[tone][1]}m`;
}

/** Colours a line of a summary by its label, which is ours; what follows is escaped before it gets here. */
export function paintSummary(line: string, paint: Paint): string {
  const [, label, rest = ''] = /^( {2}[a-z]+(?: rows)? +)(.*)$/s.exec(line) ?? [];
  if (label === undefined) return line.startsWith(' ') ? line : paint('bold', line);
  return paint('dim', label) + paintRest(label.trim(), rest, paint);
}

function paintRest(label: string, rest: string, paint: Paint): string {
  if (label === 'problems') return paint(rest === 'none' ? 'green' : 'red', rest);
  if (label === 'gaps') return rest === '0' ? rest : paint('yellow', rest);
  return label === 'secrets' && !rest.startsWith('0 ') ? paint('yellow', rest) : rest;
}

const LEVELS: Readonly<Record<string, Tone>> = { CRITICAL: 'red', HIGH: 'red', MEDIUM: 'yellow' };

/** Colours a line of an analysis: heads, and the level of a finding. */
export function paintFinding(line: string, paint: Paint): string {
  const [, level] = /^ {2}([A-Z]+) /.exec(line) ?? [];
  const tone = level === undefined ? undefined : LEVELS[level];
  if (level !== undefined && tone !== undefined) return `  ${paint(tone, level)}${line.slice(2 + level.length)}`;
  return line === '' || line.startsWith(' ') ? line : paint('bold', line);
}
