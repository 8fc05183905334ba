import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heaps of this process grow to 1.7 times what lives in them before they are cleaned, instead of up to four times: with two
 * reading threads the whole takes a quarter less memory, and about as much time.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--heap-growing-percent=70');
}
