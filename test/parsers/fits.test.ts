import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readEntry } from '../../src/parsers/conversation/schema.js';
import { fits } from '../../src/parsers/fits.js';
import * as v2 from '../../src/parsers/kiro-v2/schema.js';
import { PAYLOADS } from '../../src/parsers/kiro-v3/schema.js';

const schemas: [string, z.ZodType][] = [...Object.entries(PAYLOADS), ...Object.entries<z.ZodType>(v2)];

const json = fc.jsonValue({ maxDepth: 2 });
/** A record with members of the schema's names, mostly of the types it asks for, some of any. */
const recordFor = (schema: z.ZodType) => {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const key = fc.constantFrom(...names, 'other', '__proto__', 'constructor', 'toString');
  const plain = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant([]), fc.constant({}), json);
  return fc
    .array(fc.tuple(key, plain), { maxLength: 6 })
    .map((pairs): unknown => JSON.parse(`{${pairs.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`));
};

describe('a look at the types of members', () => {
  it.each(schemas)('lets pass what the schema %s takes as it is, and nothing else', (_, schema) => {
    fc.assert(
      fc.property(fc.oneof(recordFor(schema), json), (value) => {
        if (!fits(schema, value)) return;
        const read = schema.safeParse(value);
        expect(read.success).toBe(true);
        expect(read.data).toEqual(value);
      }),
    );
  });

  it('lets pass what is written by the programs', () => {
    expect(fits(PAYLOADS.tool_call, { type: 'tool_call', toolCallId: 'a', args: { path: 'x' }, _meta: { kiro: {} } })).toBe(true);
    expect(fits(PAYLOADS.tool_call, { toolCallId: 7 })).toBe(false);
    expect(fits(PAYLOADS.tool_call, [])).toBe(false);
    expect(fits(v2.MessageSchema, { message_id: 'm', content: [], meta: { timestamp: 1 } })).toBe(true);
    expect(fits(v2.ResultSchema, { tool: null, result: 'Cancelled' })).toBe(true);
    expect(fits(v2.ResultSchema, { tool: null, result: 5 })).toBe(false);
  });

  it('leaves to the schema what has a form, a default, a transformation or closed members', () => {
    const open = z.looseObject({ a: z.array(z.looseObject({ b: z.string() })).optional() });
    expect(fits(open, { a: [{ b: 'x', c: 1 }] })).toBe(true);
    expect(fits(open, { a: [{ b: 1 }] })).toBe(false);
    expect(fits(z.object({ a: z.string() }), { a: 'x', b: 1 })).toBe(false);
    expect(fits(z.strictObject({ a: z.string() }), { a: 'x', b: 1 })).toBe(false);
    for (const member of [
      z.string().min(2),
      z.uuid(),
      z.int(),
      z.number().max(3),
      z.string().default('x'),
      z.string().transform(Number),
      z.string().catch(''),
    ])
      expect(fits(z.looseObject({ a: member }), { a: 'x' })).toBe(false);
  });
});

describe('an entry of a history', () => {
  const prompt = { additional_context: '', content: { Prompt: { prompt: 'hello' } }, timestamp: '2025-11-12T08:00:00Z', later: 1 };
  const entry = {
    user: prompt,
    assistant: { Response: { message_id: 'm', content: 'hi' } },
    request_metadata: { request_id: 'r' },
    more: true,
  };

  it('is the same whether or not the schema has to look at it', () => {
    // A member of this name is one that only the schema deals with.
    const odd: unknown = JSON.parse(`{"__proto__":1,${JSON.stringify(entry).slice(1)}`);
    expect(readEntry(odd)).toEqual(readEntry(entry));
    expect(readEntry(entry)).toMatchObject({ ok: true, entry: { extra: { more: true }, content: { kind: 'prompt', prompt: 'hello' } } });
  });
});
