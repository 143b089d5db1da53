import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for something of another process that tells nobody when it has come.
 *
 * @param look answers what was waited for; nothing, or false, as long as it is not there
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
