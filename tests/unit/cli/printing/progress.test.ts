import { expect } from 'chai';
import { mock } from 'node:test';
import { Progress } from '../../../../src/cli/printing/progress.js';

/** A progress display that writes to a list, with a clock that the test advances. */
function progressOn(stream: { isTTY?: boolean; columns?: number }, isDrawn?: boolean, isQuiet = false) {
  const written: string[] = [];
  let milliseconds = 1000;
  const stderr = { ...stream, write: (text: string) => written.push(text) };
  const progress = new Progress(
    { stderr },
    { what: 'rows', isQuiet, now: () => milliseconds, ...(isDrawn !== undefined && { isDrawn }) },
  );
  return { progress, written, wait: (ms: number) => (milliseconds += ms) };
}

describe('Progress', () => {
  it('draws a bar with count, rate, size and remaining time if the total is known', () => {
    const { progress, written, wait } = progressOn({}, true);

    wait(10_000);
    progress.show(5000, 2_500_000, 0.25);

    expect(written.join('')).to.equal('\r\u001b[K[#####...............] 5000 rows, 500/s, 2.5 MB, 0:30 left');
  });

  it('omits the bar and the remaining time if the total is unknown', () => {
    const { progress, written, wait } = progressOn({}, true);

    wait(1000);
    progress.show(10, 1000);

    expect(written.join('')).to.equal('\r\u001b[K10 rows, 10/s, 1 kB');
  });

  it('draws at most five times a second', () => {
    const { progress, written, wait } = progressOn({}, true);

    for (let step = 0; step < 1000; step += 10) progress.show(wait(10), 0);

    expect(written).to.have.length(5);
  });

  it('CLI-01: draws nothing without a terminal, but prints the outcome', () => {
    const { progress, written, wait } = progressOn({});

    wait(1234);
    progress.show(10, 1000, 0.5);
    progress.end('Exported 10 rows');

    expect(written).to.deep.equal(['Exported 10 rows in 1.2 s\n']);
  });

  it('is never wider than the terminal', () => {
    const { progress, written, wait } = progressOn({ columns: 20 }, true);

    progress.wait();
    wait(10_000);
    progress.show(5000, 2_500_000, 0.25);

    expect(written).to.deep.equal(['\r\u001b[KWaiting for REDCap,', '\r\u001b[K[#####.............']);
  });

  it('shows that it is waiting within a second, before any data has arrived', () => {
    const clock = mock.timers;
    clock.enable({ apis: ['setInterval'] });
    const { written, wait } = progressOn({}, true);

    wait(1000);
    clock.tick(1000);
    clock.reset();

    expect(written.at(-1)).to.equal('\r\u001b[KWaiting for REDCap, 0:01');
  });

  it('prints only warnings and failures when quiet', () => {
    const { progress, written, wait } = progressOn({}, true, true);

    wait(1000);
    progress.show(1, 1);
    progress.end('Exported 1 row');
    progress.end('Stored 1 record', ['Warning: 1 value out of range.']);
    progress.fail('Interrupted.');

    expect(written).to.deep.equal(['Warning: 1 value out of range.\n', 'Interrupted.\n']);
  });

  it('clears its line before the final message', () => {
    const { progress, written, wait } = progressOn({}, true);

    wait(1000);
    progress.show(1, 1);
    progress.fail('Interrupted.');

    expect(written.at(-1)).to.equal('\r\u001b[KInterrupted.\n');
  });
});
