import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls for a condition that cannot be awaited, such as one in another process.
 *
 * @param look returns the result, or nothing or false to continue polling
 */
export async function until<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await pause(20);
  }
}
