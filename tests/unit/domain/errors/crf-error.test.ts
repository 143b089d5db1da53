import { expect } from 'chai';
import { InvalidRequestError } from '../../../../src/domain/errors/caller-errors.js';

describe('CrfError', () => {
  it('IN-03: keeps the first hundred of many problems, and says how many there are', () => {
    const problems = Array.from({ length: 5000 }, (_, at) => ({ field: `f${at}`, message: 'is not valid' }));

    const error = new InvalidRequestError(problems);

    expect(error.errors).to.deep.equal(problems.slice(0, 100));
    expect(error.message).to.match(/^5000 problems, the first 3: f0 is not valid\./);
  });
});
