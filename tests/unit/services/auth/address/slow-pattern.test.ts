import { expect } from 'chai';
import {
  isSlowPattern,
  takesTooLong,
  type MatchTry,
} from '../../../../../src/services/auth/address/slow-pattern.js';

/** A match whose tries go as the list says, and then as its last entry. */
function tries(...list: readonly MatchTry[]): { attempt: () => MatchTry; count: () => number } {
  let position = -1;
  return {
    attempt: () => {
      position += 1;
      return list[Math.min(position, list.length - 1)] ?? { isInTime: true, cpuMs: 0 };
    },
    count: () => position + 1,
  };
}

const IN_TIME: MatchTry = { isInTime: true, cpuMs: 0.1 };
const STOPPED_AT_WORK: MatchTry = { isInTime: false, cpuMs: 10 };
const STOPPED_WAITING: MatchTry = { isInTime: false, cpuMs: 0.1 };

describe('takesTooLong', () => {
  it('MAIL-06: no match does that ended in time once', () => {
    expect(takesTooLong(tries(IN_TIME).attempt)).to.equal(false);
    expect(takesTooLong(tries(STOPPED_AT_WORK, STOPPED_AT_WORK, IN_TIME).attempt)).to.equal(false);
  });

  it('MAIL-06: a match does that the processor worked on, five times', () => {
    const { attempt, count } = tries(STOPPED_AT_WORK);

    expect(takesTooLong(attempt)).to.equal(true);
    expect(count()).to.equal(5);
  });

  it('MAIL-06: a machine that has no time for the match proves nothing', () => {
    const busy = Array.from({ length: 40 }, () => STOPPED_WAITING);

    expect(takesTooLong(tries(...busy, IN_TIME).attempt)).to.equal(false);
  });

  it('MAIL-06: what never ends is refused in the end, however busy the machine', () => {
    const { attempt, count } = tries(STOPPED_WAITING);

    expect(takesTooLong(attempt)).to.equal(true);
    expect(count()).to.equal(50);
  });
});

describe('isSlowPattern', () => {
  for (const source of [
    'example\\.org',
    'example\\.org|.*\\.example\\.org',
    '(?:[a-z0-9-]+\\.)*uni\\.example',
  ]) {
    it(`MAIL-06: ${source} is quick, a hundred times out of a hundred`, () => {
      const pattern = new RegExp(`^(?:${source})$`, 'i');

      for (let times = 0; times < 100; times += 1) expect(isSlowPattern(pattern, source)).to.equal(false);
    }).timeout(120_000);
  }
});
