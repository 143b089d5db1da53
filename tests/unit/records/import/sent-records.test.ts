import { expect } from 'chai';
import fc from 'fast-check';
import { SentRecords } from '../../../../src/records/import/sent-records.js';
import { id } from '../../../support/import-project.js';

describe('SentRecords', () => {
  it('knows exactly the records of earlier calls', () => {
    const calls = fc.array(fc.array(fc.oneof(fc.nat(30).map(id), fc.string()), { maxLength: 40 }));
    fc.assert(
      fc.property(calls, (sent) => {
        const records = new SentRecords();
        const before = new Set<string>();
        for (const call of sent) {
          const { distinct, known } = records.add(call);

          expect(distinct).to.equal(new Set(call).size);
          expect(known).to.deep.equal(new Set(call.filter((record) => before.has(record))));
          for (const record of call) before.add(record);
        }
      }),
    );
  });

  it('distinguishes a hundred thousand ids that differ only in their digits', () => {
    const records = new SentRecords();
    for (let call = 0; call < 100; call++) {
      const ids = Array.from({ length: 1000 }, (_, at) => id(call * 1000 + at));

      expect(records.add(ids).known.size).to.equal(0);
      expect(records.add(ids).known.size).to.equal(1000);
    }
  });
});
