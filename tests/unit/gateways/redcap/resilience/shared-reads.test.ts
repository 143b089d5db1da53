import { expect } from 'chai';
import { SharedReads } from '../../../../../src/gateways/redcap/resilience/shared-reads.js';
import { rejection } from '../../../../support/rejection.js';
import { ManualClock, settled } from '../../../../support/manual-clock.js';

describe('SharedReads', () => {
  /** Counts the calls; the test answers each one. */
  function source() {
    const calls: { signal: AbortSignal | undefined; answer: (value: string) => void; fail: () => void }[] =
      [];
    const load = ({ signal }: { signal?: AbortSignal | undefined }): Promise<string> =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
        calls.push({ signal, answer: resolve, fail: () => reject(new Error('failed')) });
      });
    return { calls, load };
  }

  it('makes one call for concurrent reads, and caches the answer for its lifetime', async () => {
    const clock = new ManualClock();
    const reads = new SharedReads(30_000, clock);
    const { calls, load } = source();
    const waiting = [1, 2, 3].map(() => reads.get('version', {}, load));
    calls[0]?.answer('16.1.9');

    expect(await Promise.all(waiting)).to.deep.equal(['16.1.9', '16.1.9', '16.1.9']);
    await clock.advance(29_000);
    expect(await reads.get('version', {}, load)).to.equal('16.1.9');
    expect(calls).to.have.length(1);
    await clock.advance(2_000);
    void reads.get('version', {}, load);
    expect(calls).to.have.length(2);
  });

  it('does not cache a failure', async () => {
    const reads = new SharedReads(30_000, new ManualClock());
    const { calls, load } = source();
    const failing = rejection(reads.get('version', {}, load));
    calls[0]?.fail();
    await failing;
    void reads.get('version', {}, load);

    expect(calls).to.have.length(2);
  });

  it('LIB-01: rejects a cancelled reader immediately without cancelling the others', async () => {
    const reads = new SharedReads(30_000, new ManualClock());
    const { calls, load } = source();
    const controller = new AbortController();
    const leaving = rejection(reads.get('version', { signal: controller.signal }, load));
    const staying = reads.get('version', {}, load);
    controller.abort();

    expect(await leaving).to.have.property('code', 'cancelled');
    expect(calls[0]?.signal?.aborted).to.equal(false);
    calls[0]?.answer('16.1.9');
    expect(await staying).to.equal('16.1.9');
  });

  it('LIB-01: cancels the call when the last reader leaves, and starts a new one for later readers', async () => {
    const reads = new SharedReads(30_000, new ManualClock());
    const { calls, load } = source();
    const controllers = [new AbortController(), new AbortController()];
    const leaving = controllers.map(({ signal }) => rejection(reads.get('version', { signal }, load)));
    controllers.forEach((controller) => controller.abort());
    await Promise.all(leaving);
    await settled();

    expect(calls[0]?.signal?.aborted).to.equal(true);
    void reads.get('version', {}, load);
    expect(calls).to.have.length(2);
  });

  it('neither caches nor shares calls from before it was cleared', async () => {
    const reads = new SharedReads(30_000, new ManualClock());
    const { calls, load } = source();
    const before = reads.get('version', {}, load);
    reads.clear();
    const after = reads.get('version', {}, load);
    calls[1]?.answer('new');
    calls[0]?.answer('old');

    expect(await before).to.equal('old');
    expect(await after).to.equal('new');
    expect(await reads.get('version', {}, load)).to.equal('new');
  });

  it('calls every time with a lifetime of 0', () => {
    const reads = new SharedReads(0, new ManualClock());
    const { calls, load } = source();
    void reads.get('version', {}, load);
    void reads.get('version', {}, load);

    expect(calls).to.have.length(2);
  });
});
