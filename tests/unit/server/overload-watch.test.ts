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
    expect(watch.isOverloaded(10)).to.equal(false);
    now = 601;
    expect(watch.isOverloaded(10)).to.equal(true);
  });

  it('OPS-04: reports overload for a while afterwards, and then no longer', async () => {
    start(500);
    now = 2_000;
    const seen: boolean[] = [];
    while (seen.at(-1) !== false) {
      await new Promise((resolve) => setTimeout(resolve, 10)); // The next check runs in real time, while the test's clock stands still.
      seen.push(watch.isOverloaded(10));
    }

    expect(seen).to.include(true);
  });

  it('OPS-04: does not report overload for a late event loop with too few requests to be the cause', () => {
    start(500);
    now = 60_000;

    expect(watch.isOverloaded(9)).to.equal(false);
    expect(watch.isOverloaded(10)).to.equal(true);
  });

  it('OPS-04: reports overload for a full heap with any request in progress', () => {
    watch = new OverloadWatch({ eventLoopDelayMs: 0, heapPercent: 0.1 });

    expect(watch.isOverloaded(1)).to.equal(true);
  });

  it('OPS-04: never reports overload without a limit', () => {
    start(0);
    now = 1_000_000;

    expect(watch.isOverloaded(10)).to.equal(false);
  });
});
