import { expect } from 'chai';
import { atLeast } from '../../../../src/services/auth/at-least.js';
import { ManualClock, settled } from '../../../support/manual-clock.js';
import { rejection } from '../../../support/rejection.js';

describe('atLeast', () => {
  let clock: ManualClock;
  const wait = (inMs: number) => new Promise<void>((resolve) => void clock.schedule(inMs, resolve));

  beforeEach(() => {
    clock = new ManualClock();
  });

  /** @returns a function that tells whether the promise has settled */
  function watch(promise: Promise<unknown>): () => boolean {
    let isSettled = false;
    const settle = (): void => void (isSettled = true);
    promise.then(settle, settle);
    return () => isSettled;
  }

  for (const [name, work] of [
    ['succeeds', () => Promise.resolve('done')],
    ['fails', () => Promise.reject(new Error('broken'))],
  ] as const) {
    it(`AUTH-03: delays work that ${name} early until the minimum time has passed`, async () => {
      const answer = atLeast<string>(120, work, wait);
      const isSettled = watch(answer);

      await clock.advance(119);
      expect(isSettled()).to.equal(false);
      await clock.advance(1);
      if (name === 'succeeds') expect(await answer).to.equal('done');
      else expect(await rejection(answer)).to.have.property('message', 'broken');
    });
  }

  it('AUTH-03: adds nothing to work that takes longer', async () => {
    let finish: (value: string) => void = () => undefined;
    const answer = atLeast(120, () => new Promise<string>((resolve) => (finish = resolve)), wait);
    const isSettled = watch(answer);

    await clock.advance(120);
    expect(isSettled()).to.equal(false);
    finish('done');
    await settled();
    expect(isSettled()).to.equal(true);
  });
});
