/** What a program's options look like, as far as it decides which words are operands. */
export interface Program {
  /** Options that take a value, separated by blanks: `-o --output`. */
  readonly valued?: string;
  /** Letters whose value, if any, stands in the same word: `-i.bak`. */
  readonly attached?: string;
  /** One dash begins a whole name (`-name`, `-auto-approve`); letters are not taken apart. */
  readonly single?: true;
  /** Every long option takes the next word unless listed in `plain`. */
  readonly longValued?: true;
  readonly plain?: string;
  /** Options end at the first operand: what follows is another program's. */
  readonly firstOperand?: true;
  /** Operands end where options begin: what follows is an expression, as with `find`. */
  readonly pathsFirst?: true;
  /** `-n=value` means the value after the sign. */
  readonly equals?: true;
  /** Options begin with `/`: programs of Windows. */
  readonly slash?: true;
}

/** Programs by name, or `name sub` for the options of one subcommand; several names share an entry when separated by `|`. */
export type ProgramTable = Readonly<Record<string, Program>>;
