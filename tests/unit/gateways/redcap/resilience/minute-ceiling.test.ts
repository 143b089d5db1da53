import { expect } from 'chai';
import { MinuteCeiling } from '../../../../../src/gateways/redcap/resilience/minute-ceiling.js';
import { ManualClock } from '../../../../support/manual-clock.js';

describe('MinuteCeiling', () => {
  it('UP-05: limits the calls in any minute exactly', async () => {
    const clock = new ManualClock();
    const ceiling = new MinuteCeiling(10, clock);
    for (let call = 0; call < 10; call += 1) {
      ceiling.take(undefined);
      await clock.advance(1_000);
    }

    expect(() => ceiling.take(undefined))
      .to.throw()
      .that.includes({ code: 'overloaded', retryAfterSeconds: 50 });
    await clock.advance(50_000);
    expect(() => ceiling.take(undefined)).to.not.throw();
    expect(() => ceiling.take(undefined)).to.throw();
  });

  it('UP-05: reserves a tenth of the calls for other callers', () => {
    const ceiling = new MinuteCeiling(20, new ManualClock());
    for (let call = 0; call < 18; call += 1) ceiling.take('a');

    expect(() => ceiling.take('a'))
      .to.throw()
      .with.property('code', 'overloaded');
    expect(() => ceiling.take('b')).to.not.throw();
  });

  it('resets the share of a caller after a minute', async () => {
    const clock = new ManualClock();
    const ceiling = new MinuteCeiling(20, clock);
    for (let call = 0; call < 18; call += 1) ceiling.take('a');
    await clock.advance(60_000);

    for (let call = 0; call < 18; call += 1) ceiling.take('a');
    expect(() => ceiling.take('a')).to.throw();
  });

  it('has no limit if set to 0', () => {
    const ceiling = new MinuteCeiling(0, new ManualClock());

    expect(() => {
      for (let call = 0; call < 10_000; call += 1) ceiling.take('a');
    }).to.not.throw();
  });
});
