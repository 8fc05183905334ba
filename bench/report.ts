/** What the measurements amount to: minima, medians, ratios to the floor, targets, and the table. */
import type { DatasetSpec, Kind } from './generate.js';

export const FORMATS = ['csv', 'jsonl'] as const;
export type Format = (typeof FORMATS)[number];

export interface Sample {
  seconds: number;
  cpuSeconds: number;
  rssMiB: number;
  /** Bytes written; 0 for the floor. */
  outputBytes: number;
  /** Time of writing as many bytes to the same disk and nothing else; 0 for the floor. */
  writeSeconds: number;
}

export interface Measurement {
  spec: DatasetSpec;
  inputBytes: number;
  files: number;
  floor: Sample[];
  runs: Record<Format, Sample[]>;
}

export interface Target {
  ratio?: number;
  rssMiB?: number;
}

export const TARGETS: Record<Kind, Target> = {
  database: { ratio: 2.5, rssMiB: 300 },
  export: { ratio: 2.5 },
  value: {},
  home: {},
  kiro: { ratio: 2.5, rssMiB: 300 },
  ide: { ratio: 2.5, rssMiB: 300 },
  mixed: { ratio: 2.5, rssMiB: 400 },
};

const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

/** Times: the minimum over the rounds. Memory: the maximum, since its target is an upper bound. */
const summary = (samples: Sample[]) => ({
  seconds: Math.min(...samples.map((sample) => sample.seconds)),
  medianSeconds: median(samples.map((sample) => sample.seconds)),
  cpuSeconds: Math.min(...samples.map((sample) => sample.cpuSeconds)),
  rssMiB: Math.max(...samples.map((sample) => sample.rssMiB)),
  outputBytes: Math.max(...samples.map((sample) => sample.outputBytes)),
  writeSeconds: Math.min(...samples.map((sample) => sample.writeSeconds)),
});

export interface Line extends ReturnType<typeof summary> {
  evidence: string;
  run: 'floor' | Format;
  inputBytes: number;
  files: number;
  ratio: number;
  medianRatio: number;
  /** Whether a target exists for this run. */
  targeted: boolean;
  missed: string[];
}

export function lines({ spec, inputBytes, files, floor, runs }: Measurement): Line[] {
  const evidence = `${spec.kind}:${spec.size}`;
  const least = summary(floor);
  const target = TARGETS[spec.kind];
  const targeted = target.ratio !== undefined || target.rssMiB !== undefined;
  const measured = FORMATS.filter((format) => runs[format].length > 0).map((format): Line => {
    const run = summary(runs[format]);
    const ratio = run.seconds / least.seconds;
    const missed: string[] = [];
    if (target.ratio !== undefined && ratio > target.ratio)
      missed.push(`${evidence} ${format}: ${ratio.toFixed(2)} x floor, target ${target.ratio}`);
    if (target.rssMiB !== undefined && run.rssMiB > target.rssMiB) {
      missed.push(`${evidence} ${format}: ${run.rssMiB.toFixed(0)} MiB, target ${target.rssMiB}`);
    }
    return {
      evidence,
      run: format,
      inputBytes,
      files,
      ...run,
      ratio,
      medianRatio: run.medianSeconds / least.medianSeconds,
      targeted,
      missed,
    };
  });
  return [{ evidence, run: 'floor', inputBytes, files, ...least, ratio: 1, medianRatio: 1, targeted: false, missed: [] }, ...measured];
}

const COLUMNS: [title: string, cell: (line: Line) => string][] = [
  ['Evidence', (line) => line.evidence],
  ['Run', (line) => line.run],
  ['Input MB', (line) => (line.inputBytes / 1e6).toFixed(1)],
  ['Files', (line) => String(line.files)],
  ['Wall s', (line) => line.seconds.toFixed(2)],
  ['Median s', (line) => line.medianSeconds.toFixed(2)],
  ['CPU s', (line) => line.cpuSeconds.toFixed(2)],
  ['RSS MiB', (line) => line.rssMiB.toFixed(0)],
  ['MB/s', (line) => (line.inputBytes / 1e6 / line.seconds).toFixed(0)],
  ['x floor', (line) => line.ratio.toFixed(2)],
  ['Median x', (line) => line.medianRatio.toFixed(2)],
  ['Output MB', (line) => (line.run === 'floor' ? '' : (line.outputBytes / 1e6).toFixed(1))],
  ['Write s', (line) => (line.run === 'floor' ? '' : line.writeSeconds.toFixed(2))],
  ['Target', (line) => (line.missed.length > 0 ? 'missed' : line.targeted ? 'met' : '')],
];

export function table(all: Line[]): string {
  const numeric = (index: number): boolean => index > 1 && index < COLUMNS.length - 1;
  const row = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(COLUMNS.map(([title]) => title)),
    row(COLUMNS.map((_, index) => (numeric(index) ? '---:' : '---'))),
    ...all.map((line) => row(COLUMNS.map(([, cell]) => cell(line)))),
  ].join('\n');
}
