import { Writable } from 'node:stream';
import { isProblem } from '../../../../src/domain/errors/problem-error.js';
import { expect } from 'chai';
import { watchReader } from '../../../../src/records/streaming/reader-pace.js';
import { ManualClock } from '../../../support/manual-clock.js';

describe('watchReader', () => {
  /** A sink that accepts nothing by itself; the test states how much its reader has taken. */
  function slowSink() {
    const sink = new Writable({ highWaterMark: 1, write: () => undefined });
    sink.on('error', () => undefined);
    return sink;
  }

  for (const [bytesPerSecond, isCut] of [
    [99, true],
    [100, false],
  ] as const) {
    it(`${isCut ? 'disconnects' : 'keeps'} a reader of ${bytesPerSecond} bytes a second if the minimum is 100`, async () => {
      const clock = new ManualClock();
      const sink = slowSink();
      sink.write('full');
      let taken = 0;
      watchReader(sink, () => taken, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock });
      for (let second = 0; second < 30; second += 1) {
        taken += bytesPerSecond;
        await clock.advance(1_000);
      }

      expect(isProblem(sink.errored, 'slow_reader')).to.equal(isCut);
    });
  }

  it('averages, so that a reader may pause and then catch up', async () => {
    const clock = new ManualClock();
    const sink = slowSink();
    sink.write('full');
    let taken = 0;
    watchReader(sink, () => taken, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock });
    await clock.advance(9_000);
    taken = 1_000;
    await clock.advance(1_000);

    expect(sink.errored).to.equal(null);
  });

  it('does not blame the reader for a slow REDCap', async () => {
    const clock = new ManualClock();
    const sink = slowSink();
    watchReader(sink, () => 0, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock });
    await clock.advance(60_000);

    expect(sink.destroyed).to.equal(false);
  });

  it('stops watching when stopped', async () => {
    const clock = new ManualClock();
    const sink = slowSink();
    sink.write('full');
    watchReader(sink, () => 0, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock })();
    await clock.advance(60_000);

    expect(sink.destroyed).to.equal(false);
    expect(clock.pending).to.deep.equal([]);
  });
});
