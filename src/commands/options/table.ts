import { WRAPPER_OPTIONS } from '../wrapper-table.js';
import { FILES } from './files.js';
import { LANGUAGES } from './languages.js';
import type { Program } from './program.js';
import { SERVICES } from './services.js';
import { TRANSFER } from './transfer.js';
import { WINDOWS } from './windows.js';

/** A program's entry, its lists made sets. */
export interface OptionStyle {
  readonly valued: ReadonlySet<string>;
  readonly plain: ReadonlySet<string>;
  readonly attached: ReadonlySet<string>;
  readonly program: Program;
}

const NONE: OptionStyle = { valued: new Set(), plain: new Set(), attached: new Set(), program: {} };
const STYLES = compile();

/** How the options of a program are read. */
export function styleOf(name: string): OptionStyle {
  return STYLES.get(name) ?? NONE;
}

/** How the options of `name sub` are read, where the table knows it. */
export function subStyle(name: string): OptionStyle | undefined {
  return STYLES.get(name);
}

function compile(): ReadonlyMap<string, OptionStyle> {
  const styles = new Map<string, OptionStyle>();
  for (const table of [TRANSFER, FILES, LANGUAGES, SERVICES, WINDOWS, WRAPPER_OPTIONS]) {
    for (const [names, program] of Object.entries(table)) {
      const style: OptionStyle = { valued: words(program.valued), plain: words(program.plain), attached: words(program.attached), program };
      for (const name of names.split('|')) styles.set(name, style);
    }
  }
  for (const [name, style] of styles)
    if (name.includes(' ')) styles.set(name, joined(styles.get(name.slice(0, name.indexOf(' '))) ?? NONE, style));
  return styles;
}

/** The options of the program itself stay valid for its subcommand. */
function joined(base: OptionStyle, sub: OptionStyle): OptionStyle {
  return {
    valued: new Set([...base.valued, ...sub.valued]),
    plain: new Set([...base.plain, ...sub.plain]),
    attached: new Set([...base.attached, ...sub.attached]),
    program: { ...base.program, ...sub.program },
  };
}

function words(text: string | undefined): ReadonlySet<string> {
  return new Set((text ?? '').split(' ').filter((part) => part !== ''));
}
