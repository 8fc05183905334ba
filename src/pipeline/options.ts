import type { Limits } from '../enrich/store.js';
import type { ArchiveLimits } from '../evidence/archive/member.js';
import type { SecretConfidence } from '../secrets/types.js';
import type { FilterOptions } from './filter.js';

export const FORMATS = ['csv', 'jsonl', 'timesketch', 'ecs'] as const;
export type Format = (typeof FORMATS)[number];

export const CSV_PRESETS = ['excel'] as const;

/** Rows of an Excel sheet, without its header. */
export const SHEET_ROWS = 1_048_575;

export const SECRET_POLICIES = ['redact', 'show', 'redact-all', 'off'] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];

export const SPLITS = ['user', 'agent'] as const;
export type Split = (typeof SPLITS)[number];

/** How secrets are looked for and what the output shows of them. */
export interface SecretOptions {
  readonly policy: SecretPolicy;
  /** Findings below it are counted and not listed. */
  readonly least: SecretConfidence;
  /** Further rules in the gitleaks form. */
  readonly rulesFile?: string | undefined;
  /** Makes fingerprints comparable over cases. */
  readonly keyFile?: string | undefined;
  /** SARIF file for the findings. */
  readonly sarif?: string | undefined;
}

/** How far a run is: files while it reads, rows while it writes. */
export interface Progress {
  readonly phase: 'read' | 'write';
  /** What is read now, or was handed to a thread last. */
  readonly file: string;
  readonly done: number;
  readonly of: number;
  readonly bytes: number;
  readonly ofBytes: number;
}

/** One run of the main job, as the command line or a caller asks for it. */
export interface RunOptions {
  /** Evidence: folders or files, or `-` alone for standard input. */
  readonly paths: readonly string[];
  /** A file, or `-` for standard output. */
  readonly output: string;
  readonly format: Format;
  /** Where the manifest goes; absent: beside the output, none on standard output. */
  readonly manifest?: string | undefined;
  readonly force: boolean;
  /** One output for each user or agent: `name-alice.jsonl`. */
  readonly split?: Split | undefined;
  readonly host: string;
  readonly user: string;
  readonly filter: FilterOptions;
  readonly keepDuplicates: boolean;
  readonly csv: {
    readonly raw: boolean;
    readonly bom: boolean;
    /** For Excel: byte order mark, CRLF, guard within texts. */
    readonly excel?: boolean;
    /** Most rows of a file; the rest goes on in `name-2.csv` and so on. Absent: all in one. */
    readonly rowsPerFile?: number | undefined;
  };
  /** Look through free pages, page gaps, logs and journals of databases; absent: yes. */
  readonly recover?: boolean | undefined;
  readonly secrets: SecretOptions;
  readonly allFiles: boolean;
  /** Reading threads; absent: by the size of the evidence. The output is the same for any number. */
  readonly workers?: number | undefined;
  /** Folder in which the private scratch folder is made. */
  readonly scratch?: string | undefined;
  /** Bounds on what archives may hold, where the usual ones are not wanted. */
  readonly archiveLimits?: Partial<ArchiveLimits> | undefined;
  /** How much is worked on at a time, where the usual is not wanted. The output is the same whatever it is. */
  readonly limits?: Limits | undefined;
  /** Arguments of the call, for the manifest. */
  readonly argv: readonly string[];
  /** Ends the run when it is aborted: `run` rejects with its reason and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
  /** Told now and then what is being read. */
  readonly progress?: ((progress: Progress) => void) | undefined;
}
