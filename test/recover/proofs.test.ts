import { describe, expect, it } from 'vitest';
import { replace } from '../../bench/recover-store.js';
import { factsOf } from '../../src/recover/keys.js';
import { proveByRepeats } from '../../src/recover/repeats.js';
import { isEntry } from '../../src/recover/salvage.js';
import { tokenAt } from '../../src/recover/token-at.js';
import type { Proof } from '../../src/recover/types.js';
import { bytesOf, recovered, storeOf } from './support.js';

const user = {
  additional_context: '',
  env_context: { env_state: { operating_system: 'linux', current_working_directory: '/w', environment_variables: [] } },
  content: { Prompt: { prompt: 'what is in the cart?' } },
  timestamp: '2025-11-14T09:12:03.481920377+01:00',
  images: null,
};
const id = '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0';
const metadata = (size: number, calls: readonly (readonly [string, string])[]) => ({
  request_id: '11112222-3333-4444-5555-666677778888',
  message_id: id,
  request_start_timestamp_ms: 1763107923702,
  stream_end_timestamp_ms: 1763107924702,
  time_between_chunks: [
    { secs: 0, nanos: 5 },
    { secs: 0, nanos: 7 },
  ],
  response_size: size,
  tool_use_ids_and_names: calls,
  model_id: 'm',
});
const answer = 'three orders, and \\"three\\" more {"user":{"additional_context":"" }}';
const response = {
  user,
  assistant: { Response: { message_id: id, content: answer } },
  request_metadata: metadata(Buffer.byteLength(answer), []),
};
const call = 'tooluse_abcdefghijklmnopqrstuv';
const args = { command: 'cat', text: 'aaaa aaaa aaaa' };
const toolUse = {
  user,
  assistant: { ToolUse: { message_id: id, content: 'ok', tool_uses: [{ id: call, name: 'x', orig_name: 'x', args, orig_args: args }] } },
  request_metadata: metadata(99, [[call, 'x']]),
};

/** For each place whether it lies in a text, and how deep: only places alike can be joined to something that parses. */
function levels(bytes: Buffer): string[] {
  let depth = 0;
  let quoted = false;
  return [...bytes].map((byte, i) => {
    const before = `${quoted} ${depth}`;
    if (byte === 0x22 && bytes[i - 1] !== 0x5c) quoted = !quoted;
    else if (!quoted && (byte === 0x7b || byte === 0x5b)) depth += 1;
    else if (!quoted && (byte === 0x7d || byte === 0x5d)) depth -= 1;
    return before;
  });
}

/** Whether the join between the first bytes of an entry and some bytes further on is taken for proved. */
function proved(bytes: Buffer, cut: number, from: number): boolean {
  const joined = Buffer.concat([bytes.subarray(0, cut), bytes.subarray(from)]);
  let value: unknown;
  try {
    value = JSON.parse(joined.toString('utf8'));
  } catch {
    return false;
  }
  if (!isEntry(value)) return false;
  const joins = proveByRepeats(joined, value, factsOf(value), [{ proof: 'pointer', at: cut, from: 2, to: 3 }]);
  return joins[0]?.proof === 'repeats';
}

describe('an entry that repeats itself', () => {
  it.each([
    ['of an answer', response, answer.slice(3, 20)],
    ['of a call', toolUse, 'aaaa aaaa'],
    ['of an id', response, id.slice(10, 20)],
    ['of a key', toolUse, 'request_start_time'],
  ])('proves a join in the middle %s', (_, entry, part) => {
    const bytes = Buffer.from(JSON.stringify(entry));
    const at = bytes.indexOf(JSON.stringify(part).slice(1, -1)) + 9;
    expect(proved(bytes, at, at)).toBe(true);
  });

  it('proves none in the prompt, which nothing repeats', () => {
    const bytes = Buffer.from(JSON.stringify(response));
    const at = bytes.indexOf('in the cart');
    expect(proved(bytes, at, at)).toBe(false);
  });

  it.each([
    ['answer', response],
    ['call', toolUse],
  ])(
    'never proves a join that leaves something out or says it twice (%s)',
    (_, entry) => {
      const bytes = Buffer.from(JSON.stringify(entry));
      const level = levels(bytes);
      const wrong: string[] = [];
      for (let cut = 1; cut < bytes.length; cut += 1)
        for (let from = 1; from < bytes.length; from += 1) {
          if (level[cut] !== level[from]) continue;
          // What comes out byte for byte is right, wherever it was cut.
          const same = bytes.subarray(cut).equals(bytes.subarray(from));
          if (!same && proved(bytes, cut, from))
            wrong.push(`${bytes.toString('utf8', cut - 22, cut)}|${bytes.toString('utf8', from, from + 25)}`);
        }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  it('proves no join that two pages claim, and not one of two', () => {
    const bytes = Buffer.from(JSON.stringify(response));
    const at = bytes.indexOf('orders');
    const doubt = (proof: Proof, place = at) => ({ proof, at: place, from: 2, to: 3 });
    const proofs = (...joins: ReturnType<typeof doubt>[]) =>
      proveByRepeats(bytes, response, factsOf(response), joins).map(({ proof }) => proof);
    expect(proofs(doubt('contested'))).toEqual(['contested']);
    expect(proofs(doubt('pointer'), doubt('pointer', at + 9))).toEqual(['pointer', 'pointer']);
    expect(proofs(doubt('head'))).toEqual(['repeats']);
  });
});

it('finds the key or text that a place lies in', () => {
  const bytes = Buffer.from('{"a":[{"b":"x\\"y"},7,{"c":{"d":"e"}}]}');
  const path = (at: number) => tokenAt(bytes, at)?.path.join('.');
  expect([path(13), tokenAt(bytes, 13)?.isKey]).toEqual(['a.0.b', false]);
  expect([path(bytes.indexOf('"d"') + 1), tokenAt(bytes, bytes.indexOf('"d"'))?.isKey]).toEqual(['a.2.c.d', true]);
  expect(path(bytes.indexOf('7'))).toBeUndefined();
  expect(tokenAt(Buffer.from(`${'['.repeat(5000)}"x"`), 5001)).toBeUndefined();
});

it('a join that a copy or the entry itself proves gives the bytes that were written', () => {
  const proofs = new Map<string, number>();
  for (let seed = 1; seed <= 14; seed++) {
    const store = storeOf([], seed, 8);
    for (const directory of store.directories) replace(store, directory);
    for (const { kind, confidence, joins, sha256 } of recovered(bytesOf(store)).entries) {
      if (kind !== 'entry' || confidence !== 'complete') continue;
      expect(store.truth.entries.has(sha256)).toBe(true);
      for (const { proof } of joins) proofs.set(proof, (proofs.get(proof) ?? 0) + 1);
    }
  }
  expect(proofs.get('repeats')).toBeGreaterThan(0);
  expect(proofs.get('copy')).toBeGreaterThan(0);
});
