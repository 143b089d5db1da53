import { expect } from 'chai';
import { OverloadedError } from '../../../src/domain/errors/operator-errors.js';
import type { IdempotentResult } from '../../../src/services/idempotency/idempotency-store.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/until.js';
import type { Backend, StateOfProcess } from './backends.js';

const HOUR_MS = 3_600_000;
const AT_ONCE = 50;

const OUTCOME: IdempotentResult = {
  sha256: 'abc',
  bodyBytes: 12,
  isWholeBody: true,
  outcome: { kind: 'stored', count: 3, batches: 1 },
};

/** The contract that every store of state must satisfy, as seen by two processes. */
export function describeContract(backend: Backend): void {
  describe(`State ${backend.name}`, () => {
    let one: StateOfProcess;
    let other: StateOfProcess;

    before(() => backend.start());
    after(() => backend.stop());
    beforeEach(async () => {
      [one, other] = await backend.twoProcesses();
    });

    /** Makes the same call many times at once, alternating between both processes. */
    function atOnce<Answer>(ask: (state: StateOfProcess) => Promise<Answer> | Answer): Promise<Answer[]> {
      return Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(index % 2 === 0 ? one : other)));
    }

    describe('counts of limits', () => {
      it('SHARE-01, RATE-06: include the hits of all processes, each counted once', async () => {
        const counts = await atOnce((state) => state.limitStore('api', HOUR_MS).increment('ada'));

        const hits = counts.map(({ totalHits }) => totalHits).sort((a, b) => a - b);
        expect(hits).to.deep.equal(Array.from({ length: AT_ONCE }, (_, index) => index + 1));
      });

      it('can be read without counting', async () => {
        const store = one.limitStore('api', HOUR_MS);
        expect(await store.get('ada')).to.equal(undefined);
        const { resetTime } = await store.increment('ada');
        expect(resetTime.getTime()).to.be.closeTo(Date.now() + HOUR_MS, 600_000);

        const counted = await other.limitStore('api', HOUR_MS).get('ada');

        expect(counted?.totalHits).to.equal(1);
        expect(counted?.resetTime.getTime()).to.be.closeTo(resetTime.getTime(), 60_000);
      });

      it('are separate for each key and each limit', async () => {
        const store = one.limitStore('api', HOUR_MS);
        await store.increment('ada');

        expect((await store.increment('grace')).totalHits).to.equal(1);
        expect((await one.limitStore('sign-in', HOUR_MS).increment('ada')).totalHits).to.equal(1);
      });

      it('restart when the window has passed', async () => {
        const store = one.limitStore('short', 50);
        await store.increment('ada');
        await until(async () => (await store.get('ada')) === undefined);

        expect((await store.increment('ada')).totalHits).to.equal(1);
      });
    });

    describe('values with a time to live', () => {
      it('return the latest value, in every process', async () => {
        await one.keyValueStore('note').set('ada', 'first', HOUR_MS);
        await other.keyValueStore('note').keep('ada', 'second', HOUR_MS);

        expect(await one.keyValueStore('note').get('ada')).to.equal('second');
        expect(await one.keyValueStore('note').get('grace')).to.equal(undefined);
        expect(await one.keyValueStore('other').get('ada')).to.equal(undefined);
      });

      it('LOGIN-05: are added by exactly one of many concurrent callers', async () => {
        const added = await atOnce((state) => state.keyValueStore('link').add('ada', 'taken', HOUR_MS));

        expect(added.filter(Boolean)).to.have.lengthOf(1);
      });

      it('can be added again after deletion, and are deleted only if the value matches', async () => {
        const store = one.keyValueStore('link');
        await store.add('ada', 'mine', HOUR_MS);

        await other.keyValueStore('link').delete('ada', 'somebody else’s');
        expect(await store.get('ada')).to.equal('mine');
        await other.keyValueStore('link').discard('ada', 'mine');
        expect(await store.get('ada')).to.equal(undefined);
        expect(await store.add('ada', 'again', HOUR_MS)).to.equal(true);
        await store.delete('ada');
        expect(await store.get('ada')).to.equal(undefined);
      });

      it('disappear when they expire', async () => {
        await one.keyValueStore('note').set('ada', 'text', 30);

        await until(async () => (await other.keyValueStore('note').get('ada')) === undefined);
      });

      it('LOGIN-15: count attempts one by one', async () => {
        const counts = await atOnce((state) => state.keyValueStore('tries').count('ada', HOUR_MS));
        expect(new Set(counts).size).to.equal(AT_ONCE);

        expect(await one.keyValueStore('tries').count('ada', HOUR_MS, -1)).to.equal(AT_ONCE - 1);
      });
    });

    describe('idempotency keys', () => {
      it('UP-07: are reserved by one of many concurrent callers, and running for the others', async () => {
        const answers = await atOnce((state) => state.idempotency.reserve('key'));

        const states = answers.map(({ state }) => state);
        expect(states.filter((state) => state === 'reserved')).to.have.lengthOf(1);
        expect(states.filter((state) => state === 'running')).to.have.lengthOf(AT_ONCE - 1);
      });

      it('UP-07: return the stored outcome to everyone', async () => {
        await one.idempotency.reserve('key');
        await one.idempotency.markOnce('key');
        await one.idempotency.complete('key', OUTCOME);

        for (const state of [one, other]) {
          expect(await state.idempotency.reserve('key')).to.deep.equal({ state: 'done', result: OUTCOME });
        }
      });

      it('UP-07: are free again once released', async () => {
        await one.idempotency.reserve('key');
        await one.idempotency.release('key');

        expect(await other.idempotency.reserve('key')).to.deep.equal({ state: 'reserved' });
      });

      it('UP-07: stay reserved if someone releases a key they do not hold', async () => {
        await one.idempotency.reserve('key');
        await one.idempotency.complete('key', OUTCOME);
        await one.idempotency.release('key');
        await other.idempotency.release('key');

        expect(await one.idempotency.reserve('key')).to.have.property('state', 'done');
      });
    });

    describe('the rate limit of calls to REDCap', () => {
      it('UP-05: allows the configured number of calls, for all processes together', async () => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: AT_ONCE }, async (_, index) =>
            (index % 2 === 0 ? one : other).ceiling(20).take(undefined),
          ),
        );

        expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(20);
        const refused = await rejection(Promise.resolve().then(() => other.ceiling(20).take(undefined)));
        expect(refused).to.be.instanceOf(OverloadedError);
        expect(refused.retryAfterSeconds).to.be.within(1, 60);
      });

      it('UP-05: reserves a tenth for other callers', async () => {
        for (let calls = 0; calls < 18; calls += 1) await (calls % 2 ? one : other).ceiling(20).take('ada');

        await rejection(Promise.resolve().then(() => one.ceiling(20).take('ada')));
        await other.ceiling(20).take('grace');
      });

      it('never refuses a probe, and has no limit with 0', async () => {
        await one.ceiling(1).take(undefined);
        await other.ceiling(1).take(undefined, true);
        for (let calls = 0; calls < 5; calls += 1) await one.ceiling(0).take(undefined);
      });
    });
  });
}
