import type { SimpleCommand } from '../../commands/types.js';
import type { Row } from '../../rows/row.js';
import type { RowView } from '../view.js';
import { Text } from './pattern.js';

/** How names of programs and paths are written: rules for Windows ask for `\NAME.exe`, the others for `/NAME`. */
export type Style = 'posix' | 'windows';

export const PROCESS_FIELDS = [
  'CommandLine',
  'Image',
  'OriginalFileName',
  'ParentCommandLine',
  'ParentImage',
  'CurrentDirectory',
  'User',
] as const;
export const FILE_FIELDS = ['TargetFilename'] as const;
export type Field = (typeof PROCESS_FIELDS)[number] | (typeof FILE_FIELDS)[number] | Anywhere;
/** All places a program may lie in, for searches that name the program. */
export type Anywhere = 'ImageAnywhere' | 'ParentImageAnywhere';

/**
 * One event as Sigma sees it. A field has several values where the row leaves open which it is: a program called by its name
 * may lie in any folder of programs, `~` is the home directory of a user whose system is not known. No value: the field is absent.
 */
export interface SigmaEvent {
  readonly command: SimpleCommand | undefined;
  readonly fields: Readonly<Partial<Record<Field, readonly Text[]>>>;
}

export function valuesOf(event: SigmaEvent, field: Field): readonly Text[] {
  return event.fields[field] ?? NONE;
}

const NONE: readonly Text[] = [];

/** As much of a line as the parser of commands takes. */
const LONGEST = 1 << 16;

/** One event for each simple command, and one for the whole line as the shell got it. */
export function processEvents(view: RowView, style: Style): readonly SigmaEvent[] {
  const { row } = view;
  if (row.command === '') return NOTHING;
  const shell = shellOf(row);
  const line = row.command.slice(0, LONGEST);
  const around = { CurrentDirectory: some(row.project_path), User: some(row.user) };
  const shells = images(shell.name, style, shell.name);
  const parent = { ParentCommandLine: some(line), ParentImage: shells.slice(0, 1), ParentImageAnywhere: shells };
  const whole = process(`${shell.start} ${line}`, shell.name, shell.name, style, row);
  return [
    { command: undefined, fields: { ...whole, ...around } },
    ...view.commands.map((command) => ({
      command,
      fields: { ...process(command.line, command.name, programOf(command), style, row), ...parent, ...around },
    })),
  ];
}

const NOTHING: readonly SigmaEvent[] = [];

/** One event for each path that the row writes. */
export function fileEvents(view: RowView, style: Style): readonly SigmaEvent[] {
  return view.touches.write.map((path) => ({
    command: view.commands.find((command) => command.writes.includes(path)),
    fields: { TargetFilename: places(path, view.row).map((place) => new Text(written(place, style))) },
  }));
}

function process(line: string, name: string, program: string, style: Style, row: Row): SigmaEvent['fields'] {
  const found = images(name, style, program, row);
  return {
    CommandLine: [new Text(line)],
    Image: found.slice(0, 1),
    ImageAnywhere: found,
    OriginalFileName: [new Text(`${name}.exe`)],
  };
}

interface Shell {
  readonly name: string;
  /** How it is given a line. */
  readonly start: string;
}

function shellOf({ tool_name }: Row): Shell {
  if (tool_name === 'execute_pwsh') return { name: 'powershell', start: 'powershell.exe -Command' };
  if (tool_name === 'execute_cmd') return { name: 'cmd', start: 'cmd.exe /c' };
  return { name: 'bash', start: 'bash -c' };
}

const FOLDERS: Readonly<Record<Style, readonly string[]>> = {
  posix: ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/libexec'],
  windows: ['C:\\Windows\\System32', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0', 'C:\\Windows'],
};

/** Where the program lies: where the command says, or else in one of the usual folders. */
function images(name: string, style: Style, program: string, row?: Row): Text[] {
  const file = style === 'windows' ? `${name}.exe` : name;
  if (!/[/\\]/.test(program)) return FOLDERS[style].map((folder) => new Text(`${folder}${style === 'windows' ? '\\' : '/'}${file}`));
  const named = style === 'windows' && !/\.\w{1,4}$/.test(program) ? `${program}.exe` : program;
  return (row === undefined ? [named] : places(named, row)).map((place) => new Text(written(place, style)));
}

/** The first word of a command as it was written, with the folder where it names one. */
function programOf({ line, args }: SimpleCommand): string {
  const rest = args.join(' ');
  return args.length > 0 && line.endsWith(rest) ? line.slice(0, line.length - rest.length - 1) : line;
}

/** What a path of a row may be in full. */
function places(path: string, row: Row): string[] {
  if (path === '~' || path.startsWith('~/')) {
    const rest = path.slice(1);
    const user = row.user === '' ? 'user' : row.user;
    return [`/home/${user}${rest}`, `/Users/${user}${rest}`, `C:/Users/${user}${rest}`, ...(user === 'root' ? [`/root${rest}`] : [])];
  }
  if (/^(?:[/\\~$%]|[A-Za-z]:)/.test(path) || row.project_path === '') return [path];
  return [`${row.project_path.replace(/[/\\]$/, '')}/${path.replace(/^\.[/\\]/, '')}`];
}

const written = (path: string, style: Style) => (style === 'windows' ? path.replaceAll('/', '\\') : path);

const some = (value: string): readonly Text[] => (value === '' ? NONE : [new Text(value)]);
