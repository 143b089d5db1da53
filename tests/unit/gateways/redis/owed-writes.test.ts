import { expect } from 'chai';
import { OwedWrites } from '../../../../src/gateways/redis/owed-writes.js';
import { rejection } from '../../../support/rejection.js';
import { until } from '../../../support/until.js';

describe('OwedWrites', () => {
  let made: string[];
  let isUp: boolean;
  let owed: OwedWrites;

  beforeEach(() => {
    made = [];
    isUp = true;
    owed = new OwedWrites(() => isUp, 5);
  });
  afterEach(() => owed.close());

  const writing = (what: string) => async (): Promise<void> => void made.push(what);
  const failing = async (): Promise<void> => {
    throw new Error('refused');
  };

  it('makes the writes that succeed and keeps those that fail', async () => {
    owed.owe('a', failing);
    owed.owe('b', writing('b'));
    owed.owe('c', writing('c'));

    await owed.settle();

    expect(made).to.deep.equal(['b', 'c']);
    expect(owed.size).to.equal(1);
  });

  it('retries by itself while Redis is available', async () => {
    let attempts = 0;
    owed.owe('a', async () => {
      attempts += 1;
      if (attempts < 3) await failing();
    });

    await until(() => owed.size === 0);

    expect(attempts).to.equal(3);
  });

  it('makes no write while Redis is unavailable', async () => {
    isUp = false;
    owed.owe('a', writing('a'));

    await owed.settle();

    expect(made).to.deep.equal([]);
    expect(owed.size).to.equal(1);
  });

  it('skips a write that was replaced after settling began', async () => {
    owed.owe('a', () => owed.make('b', writing('newer')));
    owed.owe('b', writing('older'));

    await owed.settle();

    expect(made).to.deep.equal(['newer']);
  });

  it('replaces a pending write only if the new one succeeds', async () => {
    isUp = false;
    owed.owe('a', writing('older'));
    await rejection(owed.replace('a', failing));
    expect(owed.size).to.equal(1);

    await owed.replace('a', writing('newer'));
    isUp = true;
    await owed.settle();

    expect(made).to.deep.equal(['newer']);
  });

  it('keeps the later of two writes that fail in the reverse order', async () => {
    isUp = false;
    const older = failingOnce('older');
    const olderMade = owed.make('a', older.write);
    await owed.make('a', failingOnce('newer', true).write);
    older.fail();
    await olderMade;

    isUp = true;
    await owed.settle();

    expect(made).to.deep.equal(['newer']);
  });

  for (const method of ['make', 'replace'] as const) {
    it(`forgets a write that fails while a later one is being made by ${method}`, async () => {
      isUp = false;
      const older = failingOnce('older');
      const olderMade = owed.make('a', older.write);
      await owed[method]('a', async () => {
        older.fail();
        await olderMade;
        made.push('newer');
      });

      isUp = true;
      await owed.settle();

      expect(made).to.deep.equal(['newer']);
      expect(owed.size).to.equal(0);
    });
  }

  /** A write whose first attempt fails when it is told to, or at once. */
  function failingOnce(
    what: string,
    atOnce = false,
  ): { readonly write: () => Promise<void>; fail: () => void } {
    let fail: () => void = () => undefined;
    let attempt = async (): Promise<void> => {
      attempt = writing(what);
      if (!atOnce) await new Promise<void>((resolve) => (fail = resolve));
      await failing();
    };
    return { write: () => attempt(), fail: () => fail() };
  }
});
