import { expect } from 'chai';
import { UsageError } from '../../../src/cli/cli-error.js';
import { describeFailure } from '../../../src/cli/report-failure.js';
import { ConfigurationError, OverloadedError } from '../../../src/errors/operator-errors.js';
import { InvalidRecordsError, InvalidRequestError } from '../../../src/errors/caller-errors.js';

describe('describeFailure', () => {
  it('names each setting that is wrong once', () => {
    const error = new ConfigurationError([
      { field: 'PORT', message: 'must be a number' },
      { field: 'HOST', message: 'must be a name' },
    ]);

    expect(describeFailure(error)).to.equal(
      'The configuration is not valid:\n  PORT must be a number\n  HOST must be a name',
    );
  });

  it('does not say a single problem twice', () => {
    const error = new InvalidRequestError([{ field: '--output', message: 'must name a file' }]);

    expect(describeFailure(error)).to.equal('--output must name a file.');
  });

  it('shows twenty values that are wrong, and how many more there are', () => {
    const errors = Array.from({ length: 25 }, (_, index) => ({
      record: `R${index}`,
      field: 'age',
      message: 'must be a whole number',
    }));

    const lines = describeFailure(new InvalidRecordsError(errors)).split('\n');

    expect(lines).to.have.length(22);
    expect(lines[1]).to.equal('  R0: age must be a whole number');
    expect(lines.at(-1)).to.equal('  … and 5 more');
  });

  it('ERR-02: repeats no message that is not ours', () => {
    const text = describeFailure(new TypeError('SENTINEL\n    at SENTINEL (x:1:1)'));

    expect(text)
      .to.include('TypeError')
      .and.to.include('report-failure.test.ts')
      .and.to.not.include('SENTINEL');
  });

  it('says when to try again', () => {
    expect(describeFailure(new OverloadedError({ retryAfterSeconds: 7 }))).to.match(/\nTry again in 7 s\.$/);
  });

  it('says how a command is used below a mistake on the command line', () => {
    expect(describeFailure(new UsageError('No.', 'Usage: crf check'))).to.equal('No.\nUsage: crf check');
  });
});
