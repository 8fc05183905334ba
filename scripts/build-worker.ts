/**
 * Puts the modules of a reading thread into its one file. Several threads start at a time, each loads all of its modules at once, and
 * some systems give a process no more than 256 open files.
 */
import { build } from 'esbuild';

await build({
  entryPoints: ['src/pipeline/worker.ts'],
  outfile: 'dist/pipeline/worker.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
});
