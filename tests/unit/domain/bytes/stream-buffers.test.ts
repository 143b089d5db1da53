import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { collectStreamBuffers, countBuffer } from '../../../../src/domain/bytes/stream-buffers.js';

const MIB = 1024 * 1024;

/** A garbage collection entry with the detail that Node provides and its types omit. */
type GcEntry = PerformanceEntry & { readonly detail: { readonly kind: number; readonly flags: number } };

describe('collectStreamBuffers', () => {
  it('collects the young generation once 4 MiB have been read', async () => {
    expect(await forcedCollections(() => readWhileCollecting([4 * MIB]))).to.deep.equal(['young']);
  });

  it('waits until the pieces total 4 MiB, and then counts from zero again', async () => {
    const pieces = Array.from({ length: 10 }, () => MIB / 2);
    expect(await forcedCollections(() => readWhileCollecting(pieces))).to.deep.equal(['young']);
    expect(await forcedCollections(() => readWhileCollecting([3 * MIB]))).to.deep.equal(['young']);
  });

  it('collects nothing before a caller asks for it or after the last one has finished', async () => {
    collectStreamBuffers()();
    expect(await forcedCollections(() => countBuffer(4 * MIB))).to.deep.equal([]);
  });

  it('does not leave gc on the global object', () => {
    readWhileCollecting([4 * MIB]);
    expect(globalThis).not.to.have.property('gc');
  });
});

function readWhileCollecting(pieces: readonly number[]): void {
  const end = collectStreamBuffers();
  for (const bytes of pieces) countBuffer(bytes);
  end();
}

/** Returns the kinds of collections that were forced while `run` ran. */
async function forcedCollections(run: () => void): Promise<string[]> {
  const kinds: string[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind, flags } = (entry as GcEntry).detail;
      const isForced = (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
      if (isForced) kinds.push(kind === constants.NODE_PERFORMANCE_GC_MINOR ? 'young' : 'all');
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  run();
  // The entries arrive in a later turn of the event loop.
  await setImmediate();
  await setImmediate();
  observer.disconnect();
  return kinds;
}
