import { expect } from 'chai';
import { CancelledError } from '../../../../../src/domain/errors/caller-errors.js';
import { Cancellation } from '../../../../../src/gateways/redcap/cancellation.js';
import { CallQueue } from '../../../../../src/gateways/redcap/resilience/call-queue.js';
import { rejection } from '../../../../support/rejection.js';
import { ManualClock, settled } from '../../../../support/manual-clock.js';

describe('CallQueue', () => {
  const options = { concurrency: 2, queueLimit: 4, queueWaitMs: 2_000 };

  it('UP-05: runs no more calls at once than its limit', async () => {
    const queue = new CallQueue(options, new ManualClock());
    let isThird = false;
    const leave = await queue.enter('a', new Cancellation());
    await queue.enter('a', new Cancellation());
    const third = queue.enter('a', new Cancellation()).then(() => (isThird = true));
    await settled();

    expect(isThird).to.equal(false);
    leave();
    await third;
    expect(isThird).to.equal(true);
  });

  it('UP-05: serves callers in rotation, not by their number of calls', async () => {
    const queue = new CallQueue({ ...options, concurrency: 1 }, new ManualClock());
    const order: string[] = [];
    const leave = await queue.enter('first', new Cancellation());
    const calls = ['a1', 'a2', 'a3', 'b1'].map(async (name) => {
      const done = await queue.enter(name.charAt(0), new Cancellation());
      order.push(name);
      done();
    });
    leave();
    await Promise.all(calls);

    expect(order).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('UP-05: refuses calls when the queue is full, and states when to try again', async () => {
    const queue = new CallQueue({ ...options, concurrency: 1, queueLimit: 2 }, new ManualClock());
    await queue.enter('a', new Cancellation());
    for (let call = 0; call < 2; call += 1) void queue.enter('a', new Cancellation());

    const error = await rejection(queue.enter('a', new Cancellation()));

    expect(error).to.include({ code: 'overloaded', retryAfterSeconds: 2 });
  });

  it('UP-05: makes room for a second caller in a queue that the first has filled', async () => {
    const queue = new CallQueue({ ...options, concurrency: 1, queueLimit: 3 }, new ManualClock());
    const leave = await queue.enter('a', new Cancellation());
    const greedy = [1, 2, 3].map(() => queue.enter('a', new Cancellation()));
    const last = rejection(greedy[2] ?? Promise.resolve());
    const other = queue.enter('b', new Cancellation());

    expect(await last).to.have.property('code', 'overloaded');
    leave();
    (await greedy[0])?.();
    expect(await other).to.be.a('function');
  });

  it('UP-05: refuses a call that has waited too long', async () => {
    const clock = new ManualClock();
    const queue = new CallQueue({ ...options, concurrency: 1 }, clock);
    await queue.enter('a', new Cancellation());
    const waiting = rejection(queue.enter('a', new Cancellation()));
    await clock.advance(2_000);

    expect(await waiting).to.have.property('code', 'overloaded');
  });

  it('LIB-01: removes a cancelled call from the queue, and lets the next take its turn', async () => {
    const clock = new ManualClock();
    const queue = new CallQueue({ ...options, concurrency: 1 }, clock);
    const leave = await queue.enter('a', new Cancellation());
    const cancellation = new Cancellation();
    const cancelled = rejection(queue.enter('a', cancellation));
    const next = queue.enter('a', new Cancellation());
    cancellation.cancel(new CancelledError());
    leave();

    expect(await cancelled).to.be.instanceOf(CancelledError);
    expect(await next).to.be.a('function');
    expect(clock.pending).to.deep.equal([]);
  });

  it('ignores a second release of the same turn', async () => {
    const queue = new CallQueue({ ...options, concurrency: 1 }, new ManualClock());
    const leave = await queue.enter('a', new Cancellation());
    leave();
    leave();
    await queue.enter('a', new Cancellation());
    let isSecond = false;
    void queue.enter('a', new Cancellation()).then(() => (isSecond = true));
    await settled();

    expect(isSecond).to.equal(false);
  });

  it('UP-05: reserves a quarter of the turns for short calls', async () => {
    const queue = new CallQueue({ ...options, concurrency: 8 }, new ManualClock());
    for (let stream = 0; stream < 6; stream += 1) await queue.enter('', new Cancellation(), 'stream');
    let isSeventh = false;
    const seventh = queue.enter('', new Cancellation(), 'stream').then((leave) => {
      isSeventh = true;
      return leave;
    });
    const leaves = [await queue.enter('', new Cancellation()), await queue.enter('', new Cancellation())];
    for (const leave of leaves) leave();
    await settled();

    expect(isSeventh).to.equal(false);
    void seventh;
  });

  it('UP-05: limits one caller to its share of the streams, and lets others pass it in the queue', async () => {
    const queue = new CallQueue({ ...options, concurrency: 8 }, new ManualClock());
    const leaves = [];
    for (let stream = 0; stream < 4; stream += 1)
      leaves.push(await queue.enter('greedy', new Cancellation(), 'stream'));
    let isFifth = false;
    const fifth = queue.enter('greedy', new Cancellation(), 'stream').then(() => (isFifth = true));
    await queue.enter('other', new Cancellation(), 'stream');
    await settled();
    expect(isFifth).to.equal(false);

    leaves[0]?.();
    await fifth;
    expect(isFifth).to.equal(true);
  });

  it('UP-05: does not block a short call behind a stream of the same caller that waits for its share', async () => {
    const queue = new CallQueue({ ...options, concurrency: 2 }, new ManualClock());
    await queue.enter('a', new Cancellation(), 'stream');
    const leave = await queue.enter('b', new Cancellation());
    void queue.enter('a', new Cancellation(), 'stream');
    const call = queue.enter('a', new Cancellation());
    leave();

    expect(await call).to.be.a('function');
  });
});
