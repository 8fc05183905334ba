/**
 * Puts the modules of the command line, and those of a reading thread, with the packages they use into few files. Node opens all modules
 * of a program side by side, and some systems give a process no more than 256 open files, or fewer; few files also start sooner. What a
 * command needs is still loaded with that command. The library (`dist/index.js`) stays as the compiler wrote it.
 */
import { writeFileSync } from 'node:fs';
import { type BuildOptions, build } from 'esbuild';
import { noticesOf } from './notices.js';

const COMMON = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outbase: 'src',
  outdir: 'dist',
  // A compiled library of its own, found by its place.
  external: ['better-sqlite3'],
  // Packages of the older module system ask for Node's modules by `require`.
  banner: { js: "import { createRequire as moduleRequire } from 'node:module';\nconst require = moduleRequire(import.meta.url);" },
  legalComments: 'none',
  metafile: true,
} satisfies BuildOptions;

// All parts lie as deep as the modules they are made of: files beside the program are found by their place.
const program = await build({ ...COMMON, entryPoints: ['src/cli.ts'], splitting: true, chunkNames: 'cli/[name]-[hash]' });
const worker = await build({ ...COMMON, entryPoints: ['src/pipeline/worker.ts'] });
const inputs = [program, worker].flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync('dist/licenses.txt', `The files of the program contain:\n\n${noticesOf(inputs)}\n`);
