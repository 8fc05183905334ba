export { type Finding, FindingSchema, type Session, SessionSchema } from './analyze/index.js';
export { loadCatalog } from './catalog/load.js';
export type { Store } from './catalog/schema.js';
export { type AnalyzeOptions, type AnalyzeResult, analyze } from './pipeline/analyze.js';
export { type Manifest, ManifestSchema } from './pipeline/manifest.js';
export type { RunOptions } from './pipeline/options.js';
export { type RunResult, run } from './pipeline/run.js';
export { COLUMNS, type Row, RowSchema } from './rows/row.js';
export { UsageError } from './write/usage-error.js';
