/**
 * `npm run bench:findings`: how loud the rules are on ordinary work, what they miss, and how fast they are.
 *
 *   tsx bench/findings.ts [--body FILE ...] [--list critical|high|medium|low] [--sets kiro:50,database:50] [--seed 1]
 *                         [--only noise,samples,wrapped,mentions,incidents,speed]
 *
 * A body is a file of commands that nobody wrote rules by; `bench/findings-cut.ts` makes one. Bodies are not committed.
 * `--list` shows each hit of that level and above, for reading.
 */
import { parseArgs } from 'node:util';
import { LEVELS } from '../src/analyze/index.js';
import { checkedDocument } from '../src/analyze/rules/check.js';
import { catalogRuleDocuments } from '../src/analyze/rules/load.js';
import { alone, catalog, found } from '../test/analyze/rules-support.js';
import { type Body, type Heard, hear, levelOf, readBody } from './findings-body.js';
import { INCIDENTS } from './findings-incidents.js';
import { commandSpeed, runTimes } from './findings-speed.js';
import { type Count, mentioned, posixSamples, wrapped } from './findings-variants.js';

const LOUDEST = 12;

function noise(body: Body, listed: string | undefined): void {
  const heard = hear(body.commands);
  console.log(`\nbody ${body.name}: ${body.commands.length} different commands${body.cut === '' ? '' : `; ${body.cut}`}`);
  console.log(`  commands with a finding, per 1,000: ${LEVELS.map((level) => `${level} ${rateOf(heard, level)}`).join(', ')}`);
  console.log(`  loudest rules: ${loudest(heard).join(', ') || 'none'}`);
  const from = LEVELS.findIndex((level) => level === listed);
  for (const { command, rules } of heard) {
    const shown = rules.filter((rule) => LEVELS.indexOf(levelOf(rule)) <= from);
    if (shown.length > 0) console.log(`    ${shown.map((rule) => `${rule} (${levelOf(rule)})`).join(', ')}: ${oneLine(command)}`);
  }
}

function rateOf(heard: readonly Heard[], level: string): string {
  const hits = heard.filter(({ rules }) => rules.some((rule) => levelOf(rule) === level)).length;
  return `${((hits / Math.max(heard.length, 1)) * 1000).toFixed(2)} (${hits})`;
}

function loudest(heard: readonly Heard[]): string[] {
  const counts = new Map<string, number>();
  for (const rule of heard.flatMap(({ rules }) => rules)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LOUDEST)
    .map(([rule, count]) => `${rule} (${levelOf(rule)}) ${count}`);
}

const oneLine = (command: string) => command.replace(/\s+/g, ' ').slice(0, 600);

function samples(): void {
  const rules = catalogRuleDocuments(catalog).flatMap((document) => checkedDocument(document, []).rules.map(({ rule }) => rule));
  let all = 0;
  const wrong: string[] = [];
  for (const { id, samples } of rules) {
    for (const [kind, list] of Object.entries(samples)) {
      all += list.length;
      for (const sample of list)
        if (found(sample, alone(id)).includes(id) !== (kind === 'match')) wrong.push(`${id} ${kind}: ${JSON.stringify(sample)}`);
    }
  }
  console.log(`\nsamples: ${all - wrong.length} of ${all}, of ${rules.length} rules`);
  for (const line of wrong) console.log(`    ${line}`);
}

function variants(title: string, counts: readonly Count[], what: string): void {
  const all = counts.reduce((sum, count) => sum + count.all, 0);
  const wrong = counts.flatMap((count) => count.wrong).length;
  console.log(`\n${title}: ${all}, of which ${wrong} ${what} (${((wrong / Math.max(all, 1)) * 100).toFixed(2)} %)`);
  for (const count of counts.filter((count) => count.wrong.length > 0)) {
    console.log(`  ${count.name}: ${count.wrong.length} of ${count.all}`);
    for (const { rule, command } of count.wrong) console.log(`    ${rule}: ${oneLine(command)}`);
  }
}

function incidents(): void {
  const heard = INCIDENTS.map((incident) => ({ incident, rules: found(incident.rows) }));
  const named = heard.filter(({ incident, rules }) => incident.rules.some((rule) => rules.includes(rule)));
  const medium = heard.filter(({ rules }) => rules.some((rule) => LEVELS.indexOf(levelOf(rule)) <= LEVELS.indexOf('medium')));
  const any = heard.filter(({ rules }) => rules.length > 0);
  console.log(
    `\nincidents: ${INCIDENTS.length}; a finding ${any.length}, the expected one ${named.length}, medium or above ${medium.length}`,
  );
  for (const { incident, rules } of heard.filter((one) => !named.includes(one)))
    console.log(`    missed: ${incident.name}: expected ${incident.rules.join(' or ')}, got ${rules.join(', ') || 'nothing'}`);
}

function speed(bodies: readonly Body[], sets: string, seed: number): void {
  const commands = bodies.flatMap((body) => body.commands);
  const { parse, all } = commandSpeed(commands.length > 0 ? commands : posixSamples().map(({ command }) => command));
  console.log(
    `\nspeed over ${commands.length > 0 ? 'the bodies' : 'the samples'}: ${parse.toFixed(0)} commands a second taken apart with facts,`,
  );
  console.log(`  ${all.toFixed(0)} a second with that and all rules (${(1000 / all).toFixed(3)} ms each)`);
  const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(0)} %`;
  for (const { evidence, timelineMB, run, analysis } of runTimes(sets, seed)) {
    console.log(`  ${evidence}, ${timelineMB.toFixed(0)} MB of timeline: run ${run.wall.toFixed(2)} s (CPU ${run.cpu.toFixed(2)} s),`);
    console.log(
      `    analysis adds ${analysis.wall.toFixed(2)} s (CPU ${analysis.cpu.toFixed(2)} s): ${share(analysis.wall, run.wall)}, of CPU ${share(analysis.cpu, run.cpu)}`,
    );
  }
}

const { values } = parseArgs({
  options: {
    body: { type: 'string', multiple: true, default: [] },
    list: { type: 'string' },
    only: { type: 'string', default: 'noise,samples,wrapped,mentions,incidents,speed' },
    sets: { type: 'string', default: 'kiro:50,database:50' },
    seed: { type: 'string', default: '1' },
  },
});
const parts = new Set(values.only.split(','));
const bodies = values.body.map(readBody);
if (parts.has('noise')) for (const body of bodies) noise(body, values.list);
if (parts.has('samples')) samples();
if (parts.has('wrapped')) variants('wrapped commands', wrapped(posixSamples()), 'no longer found');
if (parts.has('mentions')) variants('mentions', mentioned(posixSamples()), 'taken for a command of level high or critical');
if (parts.has('incidents')) incidents();
if (parts.has('speed')) speed(bodies, values.sets, Number(values.seed));
