import { expect } from 'chai';
import { CliError, UsageError } from '../../../src/cli/cli-error.js';
import { describeFailure, exitCodeOf } from '../../../src/cli/describe-failure.js';
import {
  CancelledError,
  InvalidRecordsError,
  InvalidRequestError,
} from '../../../src/domain/errors/caller-errors.js';
import { ConfigurationError, OverloadedError } from '../../../src/domain/errors/operator-errors.js';
import { ProblemError } from '../../../src/domain/errors/problem-error.js';
import {
  ImportInterruptedError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../../src/domain/errors/upstream-errors.js';

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

  it('says what the user typed: the option in place of a parameter, and the value in place of an index', () => {
    const typed = { args: ['export', '--filter-logic', '[x'], values: { records: ['A-1', 'A-2'] } };
    const error = new InvalidRequestError([
      { field: 'filterLogic', message: 'is not valid' },
      { field: 'records[1]', message: 'is not a record of this project' },
      { field: 'fields[0]', name: 'agee', message: 'is not a field of this project' },
      { field: 'forms[0]', message: 'must be a name' },
    ]);

    expect(describeFailure(error, typed).split('\n').slice(1)).to.deep.equal([
      '  --filter-logic is not valid',
      '  A-2 is not a record of this project',
      '  agee is not a field of this project',
      '  forms must be a name',
    ]);
    const [only] = error.errors;
    expect(describeFailure(new InvalidRequestError(only === undefined ? [] : [only]), typed)).to.equal(
      '--filter-logic is not valid.',
    );
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
      .and.to.include('describe-failure.test.ts')
      .and.to.not.include('SENTINEL');
  });

  it('states when to try again', () => {
    expect(describeFailure(new OverloadedError({ retryAfterSeconds: 7 }))).to.match(/\nTry again in 7 s\.$/);
  });

  it('prints the usage below a mistake on the command line', () => {
    expect(describeFailure(new UsageError('No.', 'Usage: crf check'))).to.equal('No.\nUsage: crf check');
  });
});

const unreachable = new UpstreamUnavailableError('connect');

describe('exitCodeOf', () => {
  const table: readonly [string, unknown, number][] = [
    ['a mistake on the command line', new UsageError('x'), 2],
    ['a setting that is wrong', new ConfigurationError([]), 2],
    ['a credential that is refused', new ProblemError('identity_refused'), 3],
    ['no connection', unreachable, 4],
    ['no answer in time', new UpstreamTimeoutError('idle'), 4],
    ['an import that lost its connection', new ImportInterruptedError(1, 1, { cause: unreachable }), 4],
    ['an import that was refused halfway', new ImportInterruptedError(1, 1), 1],
    ['an invalid answer', new UpstreamInvalidError('x'), 1],
    ['an address without an account', new ProblemError('user_not_found'), 1],
    ['an output that fails', new CliError('x'), 1],
    ['a bug', new TypeError('x'), 1],
    ['Ctrl-C', new CancelledError(), 130],
  ];
  for (const [what, error, code] of table) {
    it(`CLI-01: is ${code} for ${what}`, () => {
      expect(exitCodeOf(error)).to.equal(code);
    });
  }
});
