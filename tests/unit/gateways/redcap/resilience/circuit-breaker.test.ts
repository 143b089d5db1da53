import { expect } from 'chai';
import { CircuitBreaker } from '../../../../../src/gateways/redcap/resilience/circuit-breaker.js';
import { ManualClock } from '../../../../support/manual-clock.js';

describe('CircuitBreaker', () => {
  const options = { breakerFailures: 3, breakerOpenMs: 10_000 };

  function opened(clock: ManualClock): CircuitBreaker {
    const breaker = new CircuitBreaker(options, clock);
    for (let call = 0; call < 3; call += 1) breaker.enter()('failed');
    return breaker;
  }

  it('UP-06: opens after failures in a row, and says when to come back', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(4_000);

    expect(() => breaker.enter())
      .to.throw()
      .that.includes({ code: 'upstream_unavailable', phase: 'circuit open', retryAfterSeconds: 6 });
  });

  it('UP-06: does not open on answers, refusals among them, nor on calls that were given up', () => {
    const breaker = new CircuitBreaker(options, new ManualClock());

    for (let call = 0; call < 50; call += 1) breaker.enter()(call % 2 === 0 ? 'answered' : 'abandoned');

    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: a success between failures restarts the count', () => {
    const breaker = new CircuitBreaker(options, new ManualClock());

    for (const outcome of ['failed', 'failed', 'answered', 'failed', 'failed'] as const)
      breaker.enter()(outcome);

    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: lets one probe through when half open, and refuses the others meanwhile', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);

    const report = breaker.enter();
    expect(() => breaker.enter())
      .to.throw()
      .with.property('phase', 'circuit open');
    report('answered');

    expect(() => breaker.enter()).to.not.throw();
  });

  it('UP-06: stays open for another pause when the probe fails', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);
    breaker.enter()('failed');
    await clock.advance(9_999);

    expect(() => breaker.check()).to.throw();
    await clock.advance(1);
    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: a probe that was given up leaves the place to the next', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);
    breaker.enter()('abandoned');

    expect(() => breaker.enter()).to.not.throw();
  });

  it('does not hear what a call of before the opening has to say', () => {
    const breaker = new CircuitBreaker(options, new ManualClock());
    const late = breaker.enter();
    for (let call = 0; call < 3; call += 1) breaker.enter()('failed');
    late('answered');

    expect(() => breaker.check()).to.throw();
  });

  it('never opens with a threshold of 0', () => {
    const breaker = new CircuitBreaker({ ...options, breakerFailures: 0 }, new ManualClock());
    for (let call = 0; call < 99; call += 1) breaker.enter()('failed');

    expect(() => breaker.check()).to.not.throw();
  });
});
