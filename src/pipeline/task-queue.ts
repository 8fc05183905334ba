import type { Pool } from './pool.js';
import type { UnitTask } from './task.js';

/** Values of a database, and small files, are handed out in groups of about this size. */
export const GROUP_BYTES = 2 << 20;

/** Small units wait here for company, and go to the pool in groups. */
export class TaskQueue {
  private readonly group: UnitTask[] = [];
  private bytes = 0;

  constructor(private readonly pool: Pool | undefined) {}

  add(task: UnitTask, bytes: number): void {
    if (this.group.length > 0 && this.bytes + bytes > GROUP_BYTES) this.flush();
    this.group.push(task);
    this.bytes += bytes;
  }

  flush(): void {
    if (this.group.length > 0) this.pool?.submit(this.group.splice(0), this.bytes);
    this.bytes = 0;
  }
}
