import { expect } from 'chai';
import { RecordLeases } from '../../../src/records/import/record-leases.js';
import { RecordActions } from '../../../src/services/record-actions.js';
import { settled } from '../../support/manual-clock.js';

type Client = ConstructorParameters<typeof RecordActions>[0];

const ACTIONS = {
  delete: (actions: RecordActions) => actions.delete(['a'], {}),
  rename: (actions: RecordActions) => actions.rename('a', 'b', {}),
  randomize: (actions: RecordActions) => actions.randomize('a', 1, {}),
};

describe('RecordActions', () => {
  for (const [name, act] of Object.entries(ACTIONS))
    it(`IN-22: ${name} waits until another change of the record has been made`, async () => {
      const calls: string[] = [];
      const note = (call: string): Promise<void> => Promise.resolve(void calls.push(call));
      const records = {
        delete: () => note('delete').then(() => 1),
        rename: () => note('rename'),
        randomize: () => note('randomize').then(() => ({ target: '1', alternativeTarget: '' })),
      };
      const leases = new RecordLeases();
      const options = { recordIdMinLength: 1 };
      // The operations of reading are not used.
      const actions = new RecordActions(
        { records } as unknown as Client,
        options,
        undefined,
        undefined,
        leases,
      );
      let end = (): void => undefined;
      const other = leases.hold(['A'], undefined, () => new Promise<void>((resolve) => (end = resolve)));
      const acting = act(actions);
      await settled();
      expect(calls).to.deep.equal([]);

      end();
      await Promise.all([other, acting]);
      expect(calls).to.deep.equal([name]);
    });
});
