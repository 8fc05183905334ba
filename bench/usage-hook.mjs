// Loaded with `node --import` into the program under test: leaves what the whole process used in the file named by the variable.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.KIROTRAIL_BENCH_USAGE;
// Worker threads load the hook too, but the numbers of the main thread cover them.
if (isMainThread && file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1_000_000, rssMiB: maxRSS / 1024 }));
  });
}
