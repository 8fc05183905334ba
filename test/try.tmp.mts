import { rmSync, readFileSync, existsSync, mkdirSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
const dist = process.argv[2]!;
import { vi } from 'vitest';
