import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { CLI } from './cli.js';

/** What a script gives that uses the built program, for what is no option of the command. `from` imports a module of it. */
export function runScript(script: string): unknown {
  const from = `const from = (name) => import(new URL(name, ${JSON.stringify(pathToFileURL(CLI).href)}));`;
  const give = 'const give = (value) => process.stdout.write(JSON.stringify(value));';
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', `${from}\n${give}\n${script}`], { encoding: 'utf8' });
  return JSON.parse(text);
}
