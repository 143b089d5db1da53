import { expect } from 'chai';
import { RetryBudget } from '../../../../../src/gateways/redcap/resilience/retry.js';
import { ManualClock } from '../../../../support/manual-clock.js';

describe('RetryBudget', () => {
  const options = { retryQuota: 0.1, retryReserve: 3 };

  function spendAll(budget: RetryBudget): number {
    let retries = 0;
    while (budget.spend()) retries += 1;
    return retries;
  }

  it('UP-04: allows one retry per ten calls, beyond a small reserve', () => {
    const budget = new RetryBudget(options, new ManualClock());
    let retries = 0;
    for (let call = 0; call < 200; call += 1) {
      budget.earn();
      if (budget.spend()) retries += 1;
    }

    expect(retries).to.equal(20 + 3);
  });

  it('refills the reserve within a minute', async () => {
    const clock = new ManualClock();
    const budget = new RetryBudget(options, clock);

    expect(spendAll(budget)).to.equal(3);
    await clock.advance(20_000);
    expect(spendAll(budget)).to.equal(1);
    await clock.advance(600_000);
    expect(spendAll(budget)).to.equal(3);
  });

  it('accumulates a limited number of retries', () => {
    const budget = new RetryBudget(options, new ManualClock());
    for (let call = 0; call < 100_000; call += 1) budget.earn();

    expect(spendAll(budget)).to.equal(50 + 3);
  });
});
