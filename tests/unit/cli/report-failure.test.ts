import { expect } from 'chai';
import { UsageError } from '../../../src/cli/cli-error.js';
import { describeFailure } from '../../../src/cli/report-failure.js';
import { ConfigurationError, OverloadedError } from '../../../src/domain/errors/operator-errors.js';
import {
  CancelledError,
  InvalidRecordsError,
  InvalidRequestError,
} from '../../../src/domain/errors/caller-errors.js';

describe('describeFailure', () => {
  it('lists each invalid setting once', () => {
    const error = new ConfigurationError([
      { field: 'PORT', message: 'must be a number' },
      { field: 'HOST', message: 'must be a name' },
    ]);

    expect(describeFailure(error)).to.equal(
      'The configuration is not valid:\n  PORT must be a number\n  HOST must be a name',
    );
  });

  it('describes a cancelled call as an interruption', () => {
    expect(describeFailure(new CancelledError())).to.equal('Interrupted.');
  });

  it('does not repeat a single problem', () => {
    const error = new InvalidRequestError([{ field: '--output', message: 'must name a file' }]);

    expect(describeFailure(error)).to.equal('--output must name a file.');
  });

  it('lists the first twenty invalid values and counts the rest', () => {
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

  it('ERR-02: names the type and place of an unexpected error, but not its message', () => {
    const text = describeFailure(new TypeError('SENTINEL\n    at SENTINEL (x:1:1)'));

    expect(text)
      .to.include('TypeError')
      .and.to.include('report-failure.test.ts')
      .and.to.not.include('SENTINEL');
  });

  it('states when to try again', () => {
    expect(describeFailure(new OverloadedError({ retryAfterSeconds: 7 }))).to.match(/\nTry again in 7 s\.$/);
  });

  it('prints the usage below a mistake on the command line', () => {
    expect(describeFailure(new UsageError('No.', 'Usage: crf check'))).to.equal('No.\nUsage: crf check');
  });
});
