import { expect } from 'chai';
import * as z from 'zod';
import {
  argument,
  checked,
  listOfObjects,
  options,
  strictObject,
} from '../../../../src/domain/identifiers/check-options.js';
import { rejection } from '../../../support/rejection.js';

interface Place {
  readonly record: string;
  readonly event?: string;
}

interface Options {
  readonly isReplacement?: boolean;
}

class Store {
  readonly #calls: unknown[][] = [];

  get calls(): readonly unknown[][] {
    return this.#calls;
  }

  put(place: Place, given?: Options): Promise<number> {
    return Promise.resolve(this.#calls.push([place, given]));
  }

  putAll(places: readonly Place[]): Promise<number> {
    return Promise.resolve(this.#calls.push([places]));
  }

  list(given?: Options): string {
    this.#calls.push([given]);
    return 'listed';
  }
}

const PLACE = { record: z.string('must be text'), event: z.string('must be text').exactOptional() };
const OPTIONS = { isReplacement: z.boolean('must be true or false').exactOptional() };

const openStore = () => {
  const store = new Store();
  const { calls } = store;
  const door = checked<Pick<Store, 'put' | 'putAll' | 'list'>>(store, {
    put: [argument('place', strictObject(PLACE, 'a property')), options(OPTIONS)],
    putAll: [listOfObjects('places', PLACE)],
    list: { throws: [options(OPTIONS)] },
  });
  return { ...door, calls };
};

describe('checked', () => {
  it('passes right arguments on, and the answer back', async () => {
    const store = openStore();

    expect(await store.put({ record: '1' }, { isReplacement: true })).to.equal(1);
    expect(store.list()).to.equal('listed');
    expect(store.calls).to.deep.equal([[{ record: '1' }, { isReplacement: true }], [undefined]]);
  });

  const cases: readonly ['put' | 'putAll', readonly unknown[], string][] = [
    ['put', [], 'place must be an object.'],
    ['put', [['1']], 'place must be an object.'],
    ['put', [{ record: '1', evnt: 'x' }], 'evnt is not a property; did you mean event?'],
    ['put', [{ record: '1' }, { nonesuch: true }], 'nonesuch is not an option.'],
    [
      'put',
      [{ record: '1' }, { isreplacement: true }],
      'isreplacement is not an option; did you mean isReplacement?',
    ],
    ['put', [{ record: '1' }, { isReplacement: 'false' }], 'isReplacement must be true or false.'],
    ['put', [{ record: '1' }, null], 'options must be an object.'],
    ['put', [{ record: '1' }, {}, {}], 'arguments must be 2 at most.'],
    ['put', [{ record: '1' }, { toString: 1 }], 'toString is not an option.'],
    ['putAll', [], 'places must be a list.'],
    ['putAll', [{ record: '1' }], 'places must be a list.'],
    ['putAll', [[{ record: '1' }, null]], 'places[1] must be an object.'],
    [
      'putAll',
      [[{ record: '1' }, { record: '2', evnt: 1 }]],
      'places[1].evnt is not a property; did you mean event?',
    ],
  ];
  for (const [method, given, message] of cases) {
    it(`rejects ${method}(${JSON.stringify(given).slice(1, -1)}) without calling it`, async () => {
      const store = openStore();
      const failure = await rejection(
        Reflect.apply(Reflect.get(store, method) as (...given: unknown[]) => Promise<unknown>, store, given),
      );

      expect(failure).to.include({ code: 'invalid_request', message });
      expect(store.calls).to.deep.equal([]);
    });
  }

  it('names every problem at once', async () => {
    const failure = await rejection(
      openStore().put({ record: '1', evnt: 1 } as never, { isReplacement: 1 } as never),
    );

    expect(failure).to.have.property('errors').with.lengthOf(2);
  });

  it('throws from a method that returns no promise', () => {
    expect(() => openStore().list({ replace: true } as never)).to.throw('replace is not an option.');
  });
});
