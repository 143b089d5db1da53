import { expect } from 'chai';
import { copyTarget, intervalOf, nextPause } from '../../../../src/cli/options/copy-options.js';

const MINUTE = 60_000;

describe('The pauses between two looks at a project', () => {
  it('are as long as --every says', () => {
    expect(intervalOf('30s', undefined)).to.deep.equal({ leastMs: 30_000, mostMs: 30_000 });
    expect(intervalOf('2h', undefined)).to.deep.equal({ leastMs: 120 * MINUTE, mostMs: 120 * MINUTE });
  });

  it('double from one to fifteen minutes with auto as long as nothing changes', () => {
    const interval = intervalOf('auto', undefined);
    const pauses: number[] = [];
    for (const isIdle of [true, true, true, true, true, true, false, true])
      pauses.push(nextPause(interval, pauses.at(-1) ?? 0, isIdle));
    expect(pauses.map((ms) => ms / MINUTE)).to.deep.equal([1, 2, 4, 8, 15, 15, 1, 2]);
  });

  it('are long enough for the entries that a day may have in the log', () => {
    expect(intervalOf('auto', 96)).to.deep.equal({ leastMs: 30 * MINUTE, mostMs: 30 * MINUTE });
    expect(intervalOf('auto', 288)).to.deep.equal({ leastMs: 10 * MINUTE, mostMs: 15 * MINUTE });
    expect(intervalOf('1h', 288)).to.deep.equal({ leastMs: 60 * MINUTE, mostMs: 60 * MINUTE });
  });

  it('are refused if they are not understood', () => {
    for (const every of ['', '0m', '15', '1.5h', 'often'])
      expect(() => intervalOf(every, undefined), every).to.throw('--every must be auto');
    for (const budget of [0, 1, 2.5, Number.NaN, -4])
      expect(() => intervalOf('auto', budget), `${budget}`).to.throw(
        '--budget must be a whole number from 2',
      );
  });
});

describe('The name of a copy', () => {
  it('has the kind and the place', () => {
    expect(copyTarget('sqlite:a:b.db')).to.deep.equal({ kind: 'sqlite', place: 'a:b.db' });
    expect(copyTarget('postgres://h/d')).to.deep.equal({ kind: 'postgres', place: 'postgres://h/d' });
    expect(() => copyTarget('duckdb:a.db')).to.throw('must be named as');
  });
});
