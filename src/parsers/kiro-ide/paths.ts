import { isObject } from '../../evidence/json.js';

// Absolute paths inside a record: the workspace is known by a hash only, and one of them may lie in it.

const ABSOLUTE = /(?:(?<![\w.:/\\-])\/(?:[\w.@+~-][^\s"'`<>|:*?\\]{0,300})|(?<![A-Za-z])[A-Za-z]:[\\/][^\s"'`<>|:*?]{1,300})/g;
const WHOLE = /^(?:\/|[A-Za-z]:[\\/])/;
const TEXT_LIMIT = 64 << 10;
const MOST = 200;

/** A text that is a path as a whole (it may hold blanks), and paths within longer texts. */
export function* pathsIn(root: unknown): Generator<string> {
  const open: unknown[] = [root];
  for (let given = 0; open.length > 0 && given < MOST; ) {
    const value = open.shift();
    if (typeof value === 'string') {
      if (WHOLE.test(value) && value.length < 1000 && !value.includes('\n')) {
        given += 1;
        yield value;
      }
      for (const [path] of value.slice(0, TEXT_LIMIT).matchAll(ABSOLUTE)) {
        given += 1;
        yield path;
        if (given >= MOST) return;
      }
    } else if (Array.isArray(value)) open.push(...value.slice(0, MOST));
    else if (isObject(value)) open.push(...Object.values(value).slice(0, MOST));
  }
}
