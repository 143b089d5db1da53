import { Writable } from 'node:stream';
import { expect } from 'chai';
import { SlowReaderError } from '../../../../src/errors/caller-errors.js';
import { watchReader } from '../../../../src/services/record-export/reader-pace.js';
import { ManualClock } from '../../../support/manual-clock.js';

describe('watchReader', () => {
  /** A sink that takes nothing by itself: what its reader has taken a test says. */
  function slowSink() {
    const sink = new Writable({ highWaterMark: 1, write: () => undefined });
    sink.on('error', () => undefined);
    return sink;
  }

  for (const [bytesPerSecond, isCut] of [
    [99, true],
    [100, false],
  ] as const) {
    it(`${isCut ? 'cuts' : 'leaves'} a reader of ${bytesPerSecond} bytes a second where 100 are asked for`, async () => {
      const clock = new ManualClock();
      const sink = slowSink();
      sink.write('full');
      let taken = 0;
      watchReader(sink, () => taken, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock });
      for (let second = 0; second < 30; second += 1) {
        taken += bytesPerSecond;
        await clock.advance(1_000);
      }

      expect(sink.errored instanceof SlowReaderError).to.equal(isCut);
    });
  }

  it('averages: a reader that pauses and then catches up is left alone', async () => {
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

  it('does not blame the reader for what REDCap takes', async () => {
    const clock = new ManualClock();
    const sink = slowSink();
    watchReader(sink, () => 0, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock });
    await clock.advance(60_000);

    expect(sink.destroyed).to.equal(false);
  });

  it('no longer watches once stopped', async () => {
    const clock = new ManualClock();
    const sink = slowSink();
    sink.write('full');
    watchReader(sink, () => 0, { minBytesPerSecond: 100, averagedOverMs: 10_000, clock })();
    await clock.advance(60_000);

    expect(sink.destroyed).to.equal(false);
    expect(clock.pending).to.deep.equal([]);
  });
});
