import { expect } from 'chai';
import { ProblemError } from '../../../src/domain/errors/problem-error.js';
import { CliError, UsageError } from '../../../src/cli/cli-error.js';
import { exitCodeOf } from '../../../src/cli/exit-code-of.js';
import { ConfigurationError } from '../../../src/domain/errors/operator-errors.js';
import {
  ImportInterruptedError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../../src/domain/errors/upstream-errors.js';
import { CancelledError } from '../../../src/domain/errors/caller-errors.js';

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
