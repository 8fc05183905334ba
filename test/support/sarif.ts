import { readFileSync } from 'node:fs';
import Ajv from 'ajv-draft-04';
import formats from 'ajv-formats';

const SCHEMA = new URL('../schemas/sarif-2.1.0-rtm.5.json', import.meta.url);

/** What a log breaks of the schema of SARIF 2.1.0; nothing for a valid one. */
export function sarifFaults(log: unknown): string[] {
  const ajv = new Ajv.default({ allErrors: true, strict: false, unicodeRegExp: false });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  return validate(log) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
