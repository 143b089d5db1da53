import { expect } from 'chai';
import { AnswerFloor } from '../../../../src/services/auth/answer-floor.js';
import { ManualClock, settled } from '../../../support/manual-clock.js';
import { rejection } from '../../../support/rejection.js';

const MINUTE = 60_000;

describe('AnswerFloor', () => {
  let clock: ManualClock;
  let laterMs: number;
  let floor: AnswerFloor;

  const now = (): Date => new Date(clock.now() + laterMs);
  const wait = (inMs: number) => new Promise<void>((resolve) => void clock.schedule(inMs, resolve));

  beforeEach(() => {
    clock = new ManualClock();
    laterMs = 0;
    floor = new AnswerFloor(100, now, wait);
  });

  /** Lets time pass until work of a duration is answered. @returns the milliseconds that took, in steps of 10 */
  async function timeOf(workMs: number, fails = false, limitMs = 2_000): Promise<number> {
    let isAnswered = false;
    const settle = (): void => void (isAnswered = true);
    const work = async (): Promise<void> => {
      if (workMs > 0) await wait(workMs);
      if (fails) throw new Error('broken');
    };
    void floor.run(work).then(settle, settle);
    await settled();
    let passed = 0;
    while (!isAnswered && passed < limitMs) {
      await clock.advance(10);
      await settled();
      passed += 10;
    }
    return passed;
  }

  for (const fails of [false, true]) {
    it(`AUTH-03: answers work that ${fails ? 'fails' : 'succeeds'} only at multiples of the minimum time`, async () => {
      const times = [];
      for (const workMs of [0, 50, 110, 190, 350]) {
        floor = new AnswerFloor(100, now, wait);
        times.push(await timeOf(workMs, fails));
      }

      expect(times).to.deep.equal([100, 100, 200, 200, 400]);
    });
  }

  it('AUTH-03: answers quick work as late as slow work once the identity backend is slow', async () => {
    const times = [];
    for (const workMs of [180, 90, 240, 180, 0]) times.push(await timeOf(workMs));

    expect(times).to.deep.equal([200, 200, 300, 300, 300]);
  });

  it('AUTH-03: answers at the minimum time again ten minutes after the last slow work', async () => {
    await timeOf(150);
    laterMs += 9 * MINUTE;
    expect(await timeOf(0)).to.equal(200);

    laterMs += MINUTE;

    expect(await timeOf(0)).to.equal(100);
  });

  it('AUTH-03: does not answer everybody late after one failure', async () => {
    expect(await timeOf(850, true)).to.equal(900);
    expect(await timeOf(0)).to.equal(100);
  });

  it('returns what the work returned, and throws what it threw', async () => {
    const none = new AnswerFloor(0, now, wait);
    for (const each of [floor, none]) {
      const answer = each.run(() => Promise.resolve('done'));
      const failure = rejection(each.run(() => Promise.reject(new Error('broken'))));
      await clock.advance(100);

      expect(await answer).to.equal('done');
      expect(await failure).to.have.property('message', 'broken');
    }
  });

  it('waits for nothing without a minimum time', async () => {
    floor = new AnswerFloor(0, now, wait);

    expect(await timeOf(0)).to.equal(0);
    expect(clock.pending).to.deep.equal([]);
  });
});
