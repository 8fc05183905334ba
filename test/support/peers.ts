import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';

/** Readers of a CSV other than ours. Each gives the records as texts, the header first. */
export type Records = string[][];

// The system's own interpreter: pandas comes as a package of the system.
const PYTHON = '/usr/bin/python3';

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

const PROGRAMS = {
  python3: () => works(PYTHON, ['--version']),
  pandas: () => works(PYTHON, ['-c', 'import pandas']),
  soffice: () => works('soffice', ['--version']),
  unzip: () => works('unzip', ['-v']),
  man: () => works('man', ['--version']),
  script: () => works('script', ['--version']),
  bash: () => works('bash', ['--version']),
  artifacts: () => works(PYTHON, ['-c', 'import artifacts']),
  ssconvert: () => works('ssconvert', ['--version']),
} as const;
const known = new Map<string, boolean>();

/** True where a program is there; otherwise says in plain words what is skipped for want of it. */
export function have(what: keyof typeof PROGRAMS): boolean {
  let found = known.get(what);
  if (found === undefined) {
    found = PROGRAMS[what]();
    known.set(what, found);
    if (!found) console.log(`skipped: ${what} is not installed here`);
  }
  return found;
}

function python(script: string, path: string): Records {
  const run = spawnSync(PYTHON, ['-c', script, path], { maxBuffer: 1 << 28, encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

export function readByPython(path: string): Records {
  return python("import csv, json, sys\nprint(json.dumps(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline='')))))", path);
}

export function readByPandas(path: string): Records {
  const script = [
    'import json, sys, pandas',
    "f = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False, na_filter=False, encoding='utf-8')",
    'print(json.dumps([list(f.columns)] + f.values.tolist()))',
  ];
  return python(script.join('\n'), path);
}

/** By the plain reader without any hint but that all columns are text. */
export async function readByDuckDb(path: string): Promise<Records> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const quoted = path.replaceAll("'", "''");
    const reader = await connection.runAndReadAll(`SELECT * FROM read_csv('${quoted}', all_varchar = true, header = true)`);
    const rows = reader.getRowsJson().map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
    return [reader.columnNames(), ...rows];
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Lets LibreOffice convert files; the results lie in `folder`. Its profile is a new one each time. */
function convert(paths: readonly string[], to: string, filter: string, folder: string): void {
  const profile = mkdtempSync(join(tmpdir(), 'kirotrail-office-'));
  try {
    const args = [`-env:UserInstallation=${pathToFileURL(profile)}`, '--headless', `--infilter=${filter}`, '--convert-to', to];
    const run = spawnSync('soffice', [...args, '--outdir', folder, ...paths], { encoding: 'utf8', timeout: 90_000 });
    if (run.status !== 0) throw new Error(`soffice: ${run.stderr}`);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}

// Separator, quote, UTF-8, from line 1; then the formats of the columns (2 is text); language; quoted cells are (not) text;
// numbers are (not) recognised; four for export only; and last: formulas are evaluated.
const likeAPerson = (separator: number) => `CSV:${separator},34,76,1,,0,false,true,true,false,false,0,true`;
const TEXT_ONLY = `CSV:44,34,76,1,${Array.from({ length: 60 }, (_, i) => `${i + 1}/2`).join('/')},0,true,false`;

/** Sheet of each file as a workbook, as XML, opened by a person who lets numbers, dates and formulas be recognised. */
export function sheetsByLibreOffice(paths: readonly string[], folder: string, separator = 44): string[] {
  convert(paths, 'xlsx', likeAPerson(separator), folder);
  return paths.map((path) => {
    const book = join(folder, basename(path).replace(/\.csv$/, '.xlsx'));
    const run = spawnSync('unzip', ['-p', book, 'xl/worksheets/sheet1.xml'], { maxBuffer: 1 << 28, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`unzip: ${run.stderr}`);
    return run.stdout;
  });
}

/** All columns read as text and written out again. */
export function readByLibreOffice(path: string, folder: string): Records {
  convert([path], 'csv:Text - txt - csv (StarCalc):44,34,76', TEXT_ONLY, folder);
  return parse(readFileSync(join(folder, basename(path))), { bom: true });
}

/** Opened by gnumeric as a person would, and written out again: as CSV, and as the XML of its sheet. */
export function readByGnumeric(path: string, folder: string): { readonly records: Records; readonly sheet: string } {
  const [book, copy] = [join(folder, 'book.xml'), join(folder, 'copy.csv')];
  for (const args of [
    [path, '-T', 'Gnumeric_XmlIO:sax:0', book],
    [path, '-T', 'Gnumeric_stf:stf_csv', copy],
  ]) {
    const run = spawnSync('ssconvert', ['-I', 'Gnumeric_stf:stf_csvtab', ...args], { encoding: 'utf8', timeout: 90_000 });
    if (run.status !== 0) throw new Error(`ssconvert: ${run.stderr}`);
  }
  return { records: parse(readFileSync(copy), { bom: true }), sheet: readFileSync(book, 'utf8') };
}
