/**
 * What one simple command of a command line does, as far as its words show: the facts that rules ask about. Nothing is executed,
 * expanded or looked up; variables keep their names.
 */
export interface SimpleCommand {
  /** Last part of the program's path, lower case, without `.exe`, `.cmd`, `.bat`, `.com`; a name that holds an expansion as written. */
  readonly name: string;
  /** The words without their quotes, joined by a blank: `rm -rf ~/x`. */
  readonly line: string;
  /** The command as it stands in the text, for showing. */
  readonly text: string;
  /** All arguments, without quotes, in order. */
  readonly args: readonly string[];
  /** Arguments that are neither options nor values of options. */
  readonly ops: readonly string[];
  /** The first up to three operands, joined by a blank: `s3 rm s3://x`. */
  readonly sub: string;
  /** Options as written, clusters of letters taken apart: `-r`, `-f`, `--force`. Of `--name=value` the name. */
  readonly flags: readonly string[];
  /** Values by option. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Paths, normalised: `\` to `/` in Windows-like ones, the home directory in all its spellings to `~`, no leading `./`. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly recursive: boolean;
  readonly force: boolean;
  /** Addresses (URLs, or hosts) data is read from. */
  readonly fetches: readonly string[];
  /** Addresses data goes to. */
  readonly sends: readonly string[];
  /** All addresses named. */
  readonly urls: readonly string[];
  /** Something is sent along. */
  readonly body: boolean;
  /** What is sent is a file or standard input. */
  readonly bodyFile: boolean;
  /** Names of the commands ahead of it and behind it in its pipeline. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The commands ahead of it in its pipeline. */
  readonly upstream: readonly SimpleCommand[];
  /** Commands whose output stands in its arguments, and commands given to it as files. */
  readonly subst: readonly SimpleCommand[];
  readonly procsub: readonly SimpleCommand[];
  /** Names of the programs it was started through (`sudo`, `env`, `timeout`). */
  readonly wrappers: readonly string[];
  readonly privileged: boolean;
  /** How its text came to be a command: '' written as such, else `shell`, `eval`, `heredoc`, `find`, `ssh`, `container`, `cmd`, `powershell`, `encoded`. */
  readonly via: string;
  readonly remote: boolean;
  readonly container: boolean;
  /** Written in an encoding that was decoded, or started with an encoded text. */
  readonly encoded: boolean;
  /** Assignments in front of it or given through `env`: `NAME=value`. */
  readonly env: readonly string[];
  /** Text of its here-document or here-string, or ''. */
  readonly heredoc: string;
  /** An interpreter without a script: what arrives on standard input is executed. */
  readonly stdinCode: boolean;
  /** For a command that deletes: a target lies outside the working directory and outside places of temporary files. Undefined where that cannot be told. */
  readonly outsideProject: boolean | undefined;
}

export interface CommandContext {
  /** Working directory of the session, or ''. */
  readonly projectPath: string;
  /** Tool that ran the command, which tells the shell: `execute_pwsh` and `execute_cmd` are Windows shells. */
  readonly tool: string;
}

export interface ParsedCommand {
  readonly commands: readonly SimpleCommand[];
  /** False where the text was cut, is no shell, or nests too deep: `commands` then holds what was understood. */
  readonly complete: boolean;
  /** Why it is not complete, in plain words, or ''. */
  readonly problem: string;
}
