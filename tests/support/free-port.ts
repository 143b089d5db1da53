import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to servers that ask for any (from 32768 on Linux): such a port
 * could be taken by any program between the question and its use.
 */
const [FIRST, LAST] = [20_000, 32_000];

/** Returns a loopback port that is currently free, for a program that has to be told its port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
