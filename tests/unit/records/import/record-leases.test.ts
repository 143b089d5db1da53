import { expect } from 'chai';
import { CancelledError } from '../../../../src/errors/caller-errors.js';
import { SharedStateUnavailableError } from '../../../../src/errors/operator-errors.js';
import { RecordLeases } from '../../../../src/records/import/record-leases.js';
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
});
