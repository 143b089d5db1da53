import { constants, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { collectStreamBuffers, countBuffer } from '../../../src/buffers/stream-buffers.js';

const MIB = 1024 * 1024;

/** What Node gives of a collection, and its types leave out. */
type GcEntry = PerformanceEntry & { readonly detail: { readonly kind: number; readonly flags: number } };

describe('collectStreamBuffers', () => {
  it('collects the young heap once 4 MiB have passed', async () => {
    expect(await forcedCollections(() => readWhileCollecting([4 * MIB]))).to.deep.equal(['young']);
  });

  it('waits until the pieces make 4 MiB together, and then starts counting again', async () => {
    const pieces = Array.from({ length: 10 }, () => MIB / 2);
    expect(await forcedCollections(() => readWhileCollecting(pieces))).to.deep.equal(['young']);
    expect(await forcedCollections(() => readWhileCollecting([3 * MIB]))).to.deep.equal(['young']);
  });

  it('collects nothing in a process that has not asked for it, or no longer does', async () => {
    collectStreamBuffers()();
    expect(await forcedCollections(() => countBuffer(4 * MIB))).to.deep.equal([]);
  });

  it('leaves no collector behind in the contexts of others', () => {
    readWhileCollecting([4 * MIB]);
    expect(globalThis).not.to.have.property('gc');
  });
});

function readWhileCollecting(pieces: readonly number[]): void {
  const end = collectStreamBuffers();
  for (const bytes of pieces) countBuffer(bytes);
  end();
}

/** What was collected on demand while `run` ran. */
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
  // The entries come a turn of the event loop later.
  await setImmediate();
  await setImmediate();
  observer.disconnect();
  return kinds;
}
