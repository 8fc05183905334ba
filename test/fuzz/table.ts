import type { StoreResult } from './engine.js';

/** The summary as it stands in docs/soundness.md. */
export function table(results: readonly StoreResult[], seconds: number): string {
  const sum = (of: (result: StoreResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const line = (name: string, inputs: number, structured: number, failures: number, slowest: number) =>
    `| ${name} | ${inputs} | ${structured} | ${inputs - structured} | ${failures} | ${Math.round(slowest)} |`;
  return [
    '| Store | Inputs | Structure kept | Bytes damaged | Failures | Slowest, ms |',
    '|---|---:|---:|---:|---:|---:|',
    ...results.map((r) => line(r.store, r.inputs, r.structured, r.failures.length, r.slowestMs)),
    line(
      '**all**',
      sum((r) => r.inputs),
      sum((r) => r.structured),
      sum((r) => r.failures.length),
      Math.max(0, ...results.map((r) => r.slowestMs)),
    ),
    '',
    `${Math.round(seconds)} s.`,
  ].join('\n');
}
