import { expect } from 'chai';
import { OverloadWatch } from '../../../src/server/overload-watch.js';

describe('OverloadWatch', () => {
  let watch: OverloadWatch;
  let now = 0;

  function start(eventLoopDelayMs: number): void {
    now = 0;
    watch = new OverloadWatch({ eventLoopDelayMs, heapPercent: 0 }, () => now);
  }

  afterEach(() => watch.stop());

  it('OPS-04: reports overload as soon as the event-loop delay exceeds the limit, before the next check', () => {
    start(500);

    now = 600;
    expect(watch.isOverloaded).to.equal(false);
    now = 601;
    expect(watch.isOverloaded).to.equal(true);
  });

  it('OPS-04: reports overload for a while afterwards, and then no longer', async () => {
    start(500);
    now = 2_000;
    const seen: boolean[] = [];
    while (seen.at(-1) !== false) {
      await new Promise((resolve) => setTimeout(resolve, 10)); // The next check runs in real time, while the test's clock stands still.
      seen.push(watch.isOverloaded);
    }

    expect(seen).to.include(true);
  });

  it('OPS-04: never reports overload without a limit', () => {
    start(0);
    now = 1_000_000;

    expect(watch.isOverloaded).to.equal(false);
  });
});
