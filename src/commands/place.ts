import { normalisePath } from './paths.js';

/** Stands for a project whose path is not known: relative paths lie in it, `..` leaves it. */
const UNKNOWN_PROJECT = '//project';

/** Where a command line stands: the project it started in and the folder it has changed to. */
export class Place {
  private readonly project: string;
  private readonly home: string;
  /** The current folder, whole; undefined once a change could not be followed. */
  private folder: string | undefined;
  private previous: string | undefined;

  constructor(projectPath: string) {
    this.project = projectPath === '' ? UNKNOWN_PROJECT : normalisePath(projectPath).replace(/\/$/, '') || '/';
    this.home = /^(?:\/(?:home|Users)\/[^/]+|\/root(?=\/|$)|[A-Za-z]:\/Users\/[^/]+)/.exec(this.project)?.[0] ?? '~';
    this.folder = this.project;
    this.previous = undefined;
  }

  /** A copy whose changes of folder stay its own: subshells and members of a pipeline. */
  fork(): Place {
    const copy = new Place('');
    return Object.assign(copy, this);
  }

  /** Follows `cd`. */
  change(path: string): void {
    const target = path === '-' ? this.previous : this.resolve(path);
    this.previous = this.folder;
    this.folder = target;
  }

  /** The whole path, or undefined where it depends on what cannot be seen. */
  resolve(path: string): string | undefined {
    if (path.startsWith('$') || path.startsWith('%') || path.startsWith('`')) return undefined;
    if (path === '~' || path.startsWith('~/')) return this.home + path.slice(1);
    if (path.startsWith('~')) return `/home/${path.slice(1)}`;
    if (/^(?:\/|[A-Za-z]:)/.test(path)) return collapse(path);
    return this.folder === undefined ? undefined : collapse(joined(this.folder, path));
  }

  /** A relative path as it is to be shown: joined to the folder where the line itself went to a known place out of the project. */
  shown(path: string): string {
    const folder = this.folder;
    if (folder === undefined || folder === this.project || folder.startsWith(UNKNOWN_PROJECT) || this.inProject(folder)) return path;
    if (path === '' || /^(?:\/|~|\$|%|`|-$|[A-Za-z]:|\.\/[~$])/.test(path)) return path;
    const whole = collapse(joined(folder, path));
    return this.home !== '~' && `${whole}/`.startsWith(`${this.home}/`) ? `~${whole.slice(this.home.length)}` : whole;
  }

  /** Whether some target lies outside the project and outside places of temporary files. */
  outside(targets: readonly string[]): boolean | undefined {
    let unknown = false;
    for (const target of targets) {
      const answer = this.isOutside(target);
      if (answer === true) return true;
      if (answer === undefined) unknown = true;
    }
    return unknown || targets.length === 0 ? undefined : false;
  }

  private isOutside(target: string): boolean | undefined {
    if (isScratch(target)) return false;
    const whole = this.resolve(target);
    if (whole === undefined) return undefined;
    if (this.inProject(whole) || isScratch(whole)) return false;
    return this.project === UNKNOWN_PROJECT && !whole.startsWith('//') ? undefined : true;
  }

  private inProject(whole: string): boolean {
    const fold = /^[A-Za-z]:/.test(this.project);
    const [path, project] = fold ? [whole.toLowerCase(), this.project.toLowerCase()] : [whole, this.project];
    const bare = path.replace(/\/$/, '');
    return bare === project || path.startsWith(project === '/' ? '/' : `${project}/`);
  }
}

function joined(folder: string, path: string): string {
  return folder === '/' ? `/${path}` : `${folder}/${path}`;
}

/** Lexically, without a look at the disk: `/a/b/../c` is `/a/c`. */
function collapse(path: string): string {
  const virtual = path.startsWith('//');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && kept.length > 1) kept.pop();
    else if (part !== '.' && part !== '..' && (part !== '' || kept.length === 0)) kept.push(part);
  }
  const result = kept.length === 1 && kept[0] === '' ? '/' : kept.join('/');
  return virtual ? `/${result}` : result;
}

const SCRATCH: readonly RegExp[] = [
  /^\/(?:tmp|var\/tmp|private\/tmp|private\/var\/folders|var\/folders|dev\/shm)\/./,
  /\/AppData\/Local\/Temp\/./i,
  /(?:^|\/)(?:node_modules|__pycache__|\.cache|\.pytest_cache|\.venv|venv)(?:\/|$)/,
  /(?:^|\/)(?:~|Users\/[^/]+)\/Library\/(?:Caches|Developer\/Xcode\/DerivedData|Developer\/CoreSimulator\/Caches)(?:\/|$)/,
  /(?:^|\/)\.(?:npm\/_cacache|gradle\/caches|m2\/repository|cargo\/registry|yarn\/cache|bun\/install\/cache|nuget\/packages)(?:\/|$)/,
  /\/AppData\/Local\/(?:npm-cache|pip\/Cache|NuGet\/Cache|Yarn\/Cache)(?:\/|$)/i,
  /(?:^|\/)(?:dist|build|target|coverage)(?:\/\*?)?$/,
  /^\$\{?(?:TMPDIR|TMP|TEMP|tmpdir|tmp|TMP_DIR|tempdir|WORKDIR)\b/,
  /^(?:\$\(|`)mktemp\b/,
  /^\/(?:var\/lib\/apt\/lists|var\/cache|root\/\.cache|usr\/share\/(?:doc|man)|etc\/apt\/sources\.list\.d)(?:\/|$)/,
];

/** Places of temporary files, caches and results of builds. */
function isScratch(path: string): boolean {
  return SCRATCH.some((pattern) => pattern.test(path));
}
