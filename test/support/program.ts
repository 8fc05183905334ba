import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLI } from './cli.js';

/** What a script gives that uses the built program, for what is no option of the command. `from` imports a module of it. */
export function runScript(script: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'kirotrail-script-'));
  try {
    // A file: threads inherit the arguments of Node, and those for a script on the command line are refused there.
    const file = join(folder, 'script.mjs');
    const from = `const from = (name) => import(new URL(name, ${JSON.stringify(pathToFileURL(CLI).href)}));`;
    const give = 'const give = (value) => process.stdout.write(JSON.stringify(value));';
    writeFileSync(file, `${from}\n${give}\n${script}`);
    return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
