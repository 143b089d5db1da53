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

  it('UP-06: opens after consecutive failures, and states when to try again', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(4_000);

    expect(() => breaker.enter())
      .to.throw()
      .that.includes({ code: 'upstream_unavailable', phase: 'circuit open', retryAfterSeconds: 6 });
  });

  it('UP-06: does not open on answers or abandoned calls', () => {
    const breaker = new CircuitBreaker(options, new ManualClock());

    for (let call = 0; call < 50; call += 1) breaker.enter()(call % 2 === 0 ? 'answered' : 'abandoned');

    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: restarts the count after a success', () => {
    const breaker = new CircuitBreaker(options, new ManualClock());

    for (const outcome of ['failed', 'failed', 'answered', 'failed', 'failed'] as const)
      breaker.enter()(outcome);

    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: lets one probe through when half-open, and refuses other calls meanwhile', async () => {
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

  it('UP-06: stays open for another period if the probe fails', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);
    breaker.enter()('failed');
    await clock.advance(9_999);

    expect(() => breaker.check()).to.throw();
    await clock.advance(1);
    expect(() => breaker.check()).to.not.throw();
  });

  it('UP-06: allows another probe if the first is abandoned', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);
    breaker.enter()('abandoned');

    expect(() => breaker.enter()).to.not.throw();
  });

  it('UP-06: allows another probe when the first has run for half a minute, and closes on either answer', async () => {
    for (const answered of ['first', 'second'] as const) {
      const clock = new ManualClock();
      const breaker = opened(clock);
      await clock.advance(10_000);
      const first = breaker.enter();
      await clock.advance(29_999);
      expect(() => breaker.enter()).to.throw();
      await clock.advance(1);
      const second = breaker.enter();
      expect(() => breaker.enter()).to.throw();

      (answered === 'first' ? first : second)('answered');

      breaker.enter();
      expect(() => breaker.enter(), answered).to.not.throw();
    }
  });

  it('ignores the failure of a probe that has been replaced', async () => {
    const clock = new ManualClock();
    const breaker = opened(clock);
    await clock.advance(10_000);
    const slow = breaker.enter();
    await clock.advance(30_000);
    const report = breaker.enter();

    slow('failed');
    report('answered');

    breaker.enter();
    expect(() => breaker.enter()).to.not.throw();
  });

  it('ignores the outcome of a call that began before it opened', () => {
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
