/** Where a group that opens at `from` ends: the index behind its closing bracket, or the length where it stays open. */
export function groupEnd(text: string, from: number): number {
  const open: string[] = [];
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '`') at++;
    else if (char === "'" || char === '"') at = quoteEnd(text, at) - 1;
    else if (char === '(' || char === '{' || char === '[') open.push(char);
    else if (char === ')' || char === '}' || char === ']') {
      open.pop();
      if (open.length === 0) return at + 1;
    }
  }
  return text.length;
}

/** The index behind a quoted text of PowerShell: a doubled quote stands for itself, and so does one behind a backtick in `"..."`. */
export function quoteEnd(text: string, from: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '`' && quote === '"') at++;
    else if (char === quote) {
      if (text.charAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
  return text.length;
}

/** The index behind a here-string `@'...'@`, or -1 where none opens. */
export function hereStringEnd(text: string, from: number): number {
  const open = /^@(['"])[ \t]*\r?\n/.exec(text.slice(from, from + 40));
  if (open === null) return -1;
  const end = text.indexOf(`\n${open[1] ?? ''}@`, from + open[0].length - 1);
  return end < 0 ? text.length : end + 3;
}
