/**
 * `npm run bench:report`: the report page over generated timelines, against the targets it was designed for.
 *
 *   tsx bench/report-page.ts [--only S,L] [--rounds 3] [--dir DIR] [--check]
 *
 * For each set: the whole command in a process of its own (analysis included), then the writing alone (rows encoded and put together), the
 * size of the page, and what Chromium makes of it (loading, scrolling, search, filters, memory). Each figure is the best of the rounds, memory the worst. Exit code 1 with --check: a target was missed.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEFAULT_DIR } from './generate.js';
import { runProgram } from './program.js';
import { type BrowserFigures, FIGURES, type FigureName, measurePage } from './report-browser.js';
import { ensureReportData, parseReportSets, type ReportData, type ReportSet } from './report-data.js';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const WRITER = fileURLToPath(new URL('./report-writer.ts', import.meta.url));

/** One measured figure and what it may be at most; without a target it is told only. */
export interface Figure {
  readonly set: ReportSet;
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly most?: number | undefined;
}

const MOST: Readonly<Record<ReportSet, { readonly share: number; readonly writing: number }>> = {
  S: { share: 15, writing: 10 },
  L: { share: 25, writing: 20 },
};

const BROWSER_MOST: Readonly<Record<ReportSet, BrowserFigures>> = {
  S: {
    paint: 800,
    overview: 1000,
    filters: 1500,
    texts: 3000,
    loadingTask: 350,
    scrollTask: 100,
    jump: 100,
    search: 300,
    filter: 200,
    session: 500,
    memory: 450,
    elements: 2500,
  },
  L: {
    paint: 1200,
    overview: 1500,
    filters: 2000,
    texts: 9000,
    loadingTask: 500,
    scrollTask: 120,
    jump: 100,
    search: 500,
    filter: 200,
    session: 500,
    memory: 700,
    elements: 2500,
  },
};

interface Sample {
  readonly seconds: number;
  readonly rssMiB: number;
}

const NAMES: readonly FigureName[] = Object.keys(FIGURES).filter((name): name is FigureName => name in FIGURES);

/** What making the page costs. Leaves the page at `page`. */
async function measureWriter(set: ReportSet, data: ReportData, page: string, rounds: number): Promise<Figure[]> {
  const whole: Sample[] = [];
  const writing: Sample[] = [];
  for (let round = 1; round <= rounds; round++) {
    console.error(`${set}: round ${round} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`);
    whole.push(await runProgram([CLI, 'report', data.path, '-o', page, '--force', '--quiet']));
    const { stdout, rssMiB } = await runProgram(['--import', 'tsx', WRITER, data.path]);
    writing.push({ seconds: Number(stdout), rssMiB });
  }
  const best = (samples: readonly Sample[]) => Math.min(...samples.map(({ seconds }) => seconds));
  const bytes = statSync(page).size;
  return [
    { set, what: 'timeline', value: data.bytes / 1e6, unit: 'MB' },
    { set, what: 'its text', value: data.textBytes / 1e6, unit: 'MB' },
    { set, what: 'page', value: bytes / 1e6, unit: 'MB' },
    { set, what: 'page, of the timeline', value: (bytes / data.bytes) * 100, unit: '%', most: MOST[set].share },
    { set, what: 'writing alone, one thread', value: best(writing), unit: 's', most: MOST[set].writing },
    { set, what: 'whole command', value: best(whole), unit: 's' },
    { set, what: 'whole command, peak memory', value: Math.max(...whole.map(({ rssMiB }) => rssMiB)), unit: 'MiB' },
  ];
}

/** What a browser makes of the page; told and left out where there is no Chromium. */
async function measureBrowser(set: ReportSet, page: string, rounds: number): Promise<Figure[]> {
  const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path));
  if (chromium === undefined) {
    console.error('no Chromium: what a browser makes of the page is not measured');
    return [];
  }
  const all: BrowserFigures[] = [];
  for (let round = 1; round <= rounds; round++) {
    console.error(`${set}: Chromium, round ${round} of ${rounds}, load ${loadavg()[0]?.toFixed(1)}`);
    all.push(await measurePage(page, chromium));
  }
  return NAMES.map((name) => ({
    set,
    what: FIGURES[name],
    value: Math.min(...all.map((figures) => figures[name])),
    unit: name === 'memory' ? 'MB' : name === 'elements' ? '' : 'ms',
    most: BROWSER_MOST[set][name],
  }));
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ set, what, value, unit, most }) => {
    const target = most === undefined ? ' | ' : `${most} | ${value <= most ? 'met' : 'missed'}`;
    return `| ${set} | ${what} | ${value.toFixed(1)} ${unit} | ${target} |`;
  });
  return ['| Set | Figure | Measured | At most | |', '|---|---|---:|---:|---|', ...rows].join('\n');
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: 'S,L' },
      rounds: { type: 'string', default: '3' },
      dir: { type: 'string', default: DEFAULT_DIR },
      check: { type: 'boolean', default: false },
    },
  });
  const figures: Figure[] = [];
  for (const { set, rows } of parseReportSets(values.only)) {
    const data = ensureReportData(values.dir, set, rows);
    const folder = mkdtempSync(join(values.dir, 'page-'));
    try {
      const page = join(folder, 'report.html');
      figures.push(...(await measureWriter(set, data, page, Number(values.rounds))));
      figures.push(...(await measureBrowser(set, page, Number(values.rounds))));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  console.log(
    `${table(figures)}\n\nLoad average ${loadavg()
      .map((n) => n.toFixed(1))
      .join(' ')}, Node ${process.version}`,
  );
  return values.check && figures.some(({ value, most }) => most !== undefined && value > most) ? 1 : 0;
}

process.exitCode = await main();
