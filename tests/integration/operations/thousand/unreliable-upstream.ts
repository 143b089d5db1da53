import type { SeededRandom } from '../../../../src/sandbox/demo-study/made-up.js';
import { startFaultServer, type Fault, type FaultServer } from '../../../support/fault-server.js';
import { forward } from '../../../support/forward.js';

/** Faults of a call: before REDCap reads it, or in its answer. Slow faults are rarer. */
const TROUBLES = [
  ...(['reset', 'cut', 'error', 'html', 'empty'] as const),
  ...(['reset', 'cut', 'error', 'html', 'empty', 'hang', 'hang inside'] as const),
] as const;

/** A proxy to a sandbox that fails a fraction of its calls, half of them after the sandbox has executed them. */
export async function startUnreliableUpstream(
  url: string,
  random: SeededRandom,
  rate: number,
): Promise<FaultServer> {
  const server: FaultServer = await startFaultServer(async (request) => {
    server.forget();
    if (!random.chance(rate)) return forward(url, request);
    const trouble = random.pick(TROUBLES);
    const isRead = random.chance(0.5) || trouble === 'cut' || trouble === 'hang inside';
    const body = isRead ? (await forward(url, request)).body : Buffer.alloc(0);
    return faultOf(trouble, body, random);
  });
  return server;
}

function faultOf(trouble: (typeof TROUBLES)[number], body: Buffer, random: SeededRandom): Fault {
  switch (trouble) {
    case 'reset':
      return { kind: 'reset' };
    case 'cut': {
      const framing = random.pick(['length', 'chunked'] as const);
      // Removes at least the last bytes, because a body without missing bytes is complete.
      const fraction = Math.min(random.next(), 1 - 2 / body.length);
      return { kind: 'cut', body, fraction, framing, how: random.pick(['end', 'reset'] as const) };
    }
    case 'error':
      return { kind: 'answer', status: 500, body: 'Internal Server Error' };
    case 'hang':
      return { kind: 'hang', at: 'head' };
    case 'hang inside':
      return { kind: 'hang', at: 'body', body, fraction: random.next() * 0.9 };
    case 'html':
      return { kind: 'answer', body: '<html><body>Maintenance</body></html>' };
    case 'empty':
      return { kind: 'answer', body: '' };
  }
}
