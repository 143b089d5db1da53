import { expect } from 'chai';
import { ProblemList } from '../../../../src/records/import/problem-list.js';

describe('ProblemList', () => {
  it('takes each name for new once, of the first 10,000', () => {
    const problems = new ProblemList(() => undefined);
    const names = Array.from({ length: 10_001 }, (_, index) => `${'x'.repeat(index % 200)}${index}`);

    const isNew = [...names, ...names].map((name) => problems.isNew(name));

    expect(isNew.lastIndexOf(true)).to.equal(9_999);
    expect(isNew.indexOf(false)).to.equal(10_000);
  });
});
