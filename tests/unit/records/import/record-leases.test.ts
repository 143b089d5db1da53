import { expect } from 'chai';
import { CancelledError } from '../../../../src/domain/errors/caller-errors.js';
import {
  OverloadedError,
  SharedStateUnavailableError,
} from '../../../../src/domain/errors/operator-errors.js';
import { PATIENCE_MS, RecordLeases } from '../../../../src/records/import/record-leases.js';
import { ManualClock, settled } from '../../../support/manual-clock.js';
import { rejection } from '../../../support/rejection.js';

/** Work that ends when it is told to, and notes when it begins and ends. */
function workOf(name: string, notes: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async (): Promise<void> => {
    notes.push(`${name} begins`);
    await ended;
    notes.push(`${name} ends`);
  };
  return { work, end };
}

describe('IN-22: Leases of records', () => {
  let notes: string[];
  beforeEach(() => (notes = []));

  it('let changes of a record be made one after the other, and those of others at once', async () => {
    const leases = new RecordLeases();
    const [one, two, three] = [workOf('one', notes), workOf('two', notes), workOf('three', notes)];
    const all = [
      leases.hold(['a', 'b'], undefined, one.work),
      // As REDCap's database compares names.
      leases.hold(['B ', 'c'], undefined, two.work),
      leases.hold(['d'], undefined, three.work),
    ];
    for (const { end } of [three, two, one]) end();
    await Promise.all(all);

    const order = notes.filter((note) => !note.startsWith('three'));
    expect(order).to.deep.equal(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(notes.indexOf('three ends')).to.be.lessThan(notes.indexOf('two begins'));
  });

  it('are given back by work that fails, and not begun by one that was cancelled while it waited', async () => {
    const leases = new RecordLeases();
    const failed = leases.hold(['a'], undefined, () => Promise.reject(new TypeError('no')));
    const cancelled = leases.hold(['a'], AbortSignal.abort(), workOf('cancelled', notes).work);
    const last = leases.hold(['a'], undefined, () => Promise.resolve('last'));

    expect(await rejection(failed)).to.be.instanceOf(TypeError);
    expect(await rejection(cancelled)).to.be.instanceOf(CancelledError);
    expect(await last).to.equal('last');
    expect(notes).to.deep.equal([]);
  });

  it('wait for other processes, and do without them while these cannot be asked', async () => {
    const answers: (undefined | Error | (() => Promise<void>))[] = [
      undefined,
      undefined,
      () => Promise.resolve(void notes.push('given back')),
      new SharedStateUnavailableError('timeout'),
    ];
    const leases = new RecordLeases({
      take: (records) => {
        notes.push(`ask for ${records.join()}`);
        const answer = answers.shift();
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
    });
    for (const result of ['first', 'second'])
      await leases.hold(['a', 'A'], undefined, () => Promise.resolve(notes.push(result)));

    expect(notes).to.deep.equal([
      ...['ask for A', 'ask for A', 'ask for A', 'first', 'given back'],
      ...['ask for A', 'second'],
    ]);
  });

  it('are waited for up to 30 seconds, and those who wait behind keep their turn', async () => {
    const clock = new ManualClock();
    const leases = new RecordLeases(undefined, clock);
    const one = workOf('one', notes);
    const first = leases.hold(['a'], undefined, one.work);
    const second = rejection(leases.hold(['a'], undefined, workOf('two', notes).work));
    await clock.advance(PATIENCE_MS - 1);
    const third = leases.hold(['a'], undefined, () => Promise.resolve(notes.push('three')));
    await clock.advance(1);
    expect(await second).to.be.instanceOf(OverloadedError);
    expect(notes).to.deep.equal(['one begins']);

    one.end();
    await Promise.all([first, third]);
    expect(notes).to.deep.equal(['one begins', 'one ends', 'three']);
    expect(clock.pending).to.deep.equal([]);
  });

  it('are not waited for by a caller who hangs up', async () => {
    const clock = new ManualClock();
    const leases = new RecordLeases(undefined, clock);
    const one = workOf('one', notes);
    const first = leases.hold(['a'], undefined, one.work);
    const caller = new AbortController();
    const second = rejection(leases.hold(['a'], caller.signal, workOf('two', notes).work));
    await settled();
    caller.abort();
    expect(await second).to.be.instanceOf(CancelledError);

    one.end();
    await first;
    expect(notes).to.deep.equal(['one begins', 'one ends']);
  });

  it('are waited for as long in this process and in others together', async () => {
    const clock = new ManualClock();
    let isTaken = true;
    const giveBack = () => Promise.resolve(void notes.push('given back'));
    const leases = new RecordLeases(
      { take: (records) => Promise.resolve(isTaken && records[0] === 'A' ? undefined : giveBack) },
      clock,
    );
    const one = workOf('one', notes);
    const first = leases.hold(['b'], undefined, one.work);
    const second = rejection(leases.hold(['a', 'b'], undefined, workOf('two', notes).work));
    await clock.advance(PATIENCE_MS / 2);
    one.end();
    await first;
    while (notes.length < 3) await settled();
    for (let waited = PATIENCE_MS / 2; waited < PATIENCE_MS; waited += 25) await clock.advance(25);
    expect(await second).to.be.instanceOf(OverloadedError);

    isTaken = false;
    await leases.hold(['a'], undefined, () => Promise.resolve(notes.push('three')));
    expect(notes).to.deep.equal(['one begins', 'one ends', 'given back', 'three', 'given back']);
  });
});
