import { createHash } from 'node:crypto';
import { openRegular, readFully } from './open.js';

const PART = 64 * 1024;

/** Digest over size, first and last 64 KiB of a file; empty when it cannot be read. It is never published, unlike the file's hash. */
export function sampleDigest(path: string | Buffer, label: string): string {
  try {
    const file = openRegular(path);
    try {
      const head = readFully(file.fd, Buffer.allocUnsafe(Math.min(PART, file.size)), 0);
      // A file that is no longer than its beginning ends with it.
      const tail = file.size <= PART ? head : readFully(file.fd, Buffer.allocUnsafe(PART), file.size - PART);
      return createHash('sha256').update(label).update(String(file.size)).update(head).update(tail).digest('hex');
    } finally {
      file.close();
    }
  } catch {
    return '';
  }
}
