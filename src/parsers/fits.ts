import { z } from 'zod';

// Nearly all records are as their schema says. Reading them by the schema costs ten times as much as a look at the type of each
// member that it names, so that only the record in doubt goes through it. A test holds that both come to the same.

type Check = (value: unknown) => boolean;

const compiled = new WeakMap<z.core.$ZodType, Check>();

/** True for a value that the schema takes as it is; false where it would refuse it, change it, or where only it can tell. */
export function fits<T extends z.ZodType>(schema: T, value: unknown): value is z.output<T> {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = checkOf(schema);
    compiled.set(schema, check);
  }
  return check(value);
}

const never: Check = () => false;
const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isBoolean: Check = (value) => typeof value === 'boolean';

// A schema leaves the member `__proto__` out.
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__');

function checkOf(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodOptional) {
    const inner = checkOf(schema.def.innerType);
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = checkOf(schema.def.innerType);
    return (value) => value === null || inner(value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.def.options.map(checkOf);
    return (value) => options.some((option) => option(value));
  }
  if (schema instanceof z.ZodUnknown) return () => true;
  if (!isPlain(schema)) return never;
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) {
    const element = checkOf(schema.def.element);
    if (schema.def.element instanceof z.ZodUnknown) return Array.isArray;
    return (value) => Array.isArray(value) && value.every(element);
  }
  if (schema instanceof z.ZodString) return isText;
  if (schema instanceof z.ZodNumber) return isNumber;
  if (schema instanceof z.ZodBoolean) return isBoolean;
  const ofAnything =
    schema instanceof z.ZodRecord && schema.def.keyType instanceof z.ZodString && schema.def.valueType instanceof z.ZodUnknown;
  return ofAnything ? isRecord : never;
}

/** Nothing is asked for besides the type, such as a form or a range. */
function isPlain(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodStringFormat || schema instanceof z.ZodNumberFormat) return false;
  return !('checks' in schema._zod.def) || schema._zod.def.checks === undefined || schema._zod.def.checks.length === 0;
}

function objectCheck(schema: z.ZodObject): Check {
  // What is not named passes only through a loose schema.
  if (!(schema.def.catchall instanceof z.ZodUnknown)) return never;
  const members = Object.entries(schema.shape).map(([key, member]) => ({ key, check: checkOf(member) }));
  return (value) => {
    if (!isRecord(value)) return false;
    for (const { key, check } of members) if (!check(value[key])) return false;
    return true;
  };
}
