import type { Collected } from '../collect/collection.js';
import type { FileParser } from '../parsers/parser.js';
import type { CompanionFile } from './task.js';

/** Files beside this one that its parser asks for, by their names relative to its folder. */
export function companionsOf({ artifact }: Collected, parser: FileParser, byFile: ReadonlyMap<string, Collected>): CompanionFile[] {
  const folder = artifact.file.split('/').slice(0, -1);
  return (parser.companions?.(artifact.file.split('/').at(-1) ?? '') ?? []).flatMap((name) => {
    const parts = [...folder];
    for (const part of name.split('/')) {
      if (part === '..') parts.pop();
      else parts.push(part);
    }
    const beside = byFile.get(parts.join('/'));
    return beside === undefined ? [] : [{ name, path: beside.path, artifact: beside.artifact }];
  });
}
