/** Reads the inputs of stores one after the other and tells its parent after each store. Started by main.ts, which watches it. */
import { Fuzzer } from './engine.js';

const [current, seed, inputs, ...stores] = process.argv.slice(2);

const fuzzer = new Fuzzer(current);
try {
  for (const store of stores) {
    const result = await fuzzer.store(store, Number(seed), Number(inputs));
    await new Promise<void>((sent) => process.send?.(result, undefined, undefined, () => sent()));
  }
} finally {
  fuzzer.remove();
}
