/** Holds the import rules, and that they were checked at all: a resolver that goes blind would pass everything. */
import { createRequire } from 'node:module';
import { cruise, type IConfiguration } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const LEAST_MODULES = 50;

const configuration: IConfiguration = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const result = await cruise(
  ['src'],
  { ...configuration.options, ruleSet: { forbidden: configuration.forbidden ?? [] }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
if (typeof result.output === 'string') throw new Error('unexpected result of dependency-cruiser');
const { summary } = result.output;
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`);
const sources = result.output.modules.filter((module) => module.source.startsWith('src/')).length;
console.log(`imports: ${sources} modules, ${summary.totalDependenciesCruised} dependencies, ${summary.violations.length} violations`);
if (sources < LEAST_MODULES) console.error(`imports: only ${sources} modules were cruised`);
process.exitCode = summary.violations.length > 0 || sources < LEAST_MODULES ? 1 : 0;
