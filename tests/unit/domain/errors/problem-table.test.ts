import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import * as errors from '../../../../src/domain/errors/index.js';
import {
  CrfError,
  isProblem,
  PROBLEMS,
  ProblemError,
  type PlainProblem,
} from '../../../../src/domain/errors/index.js';

/** Rows of docs/reference/errors.md: code, status and class. */
const documented = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, code, status, name] = /^\| `([a-z_]+)` +\| (\d{3}) +\| `(\w+)` +\|/.exec(line) ?? [];
    return code === undefined || name === undefined ? [] : [{ code, status: Number(status), name }];
  });

type ErrorClass = new (...args: unknown[]) => CrfError;

const classes = Object.entries(errors).filter(
  ([name, value]) =>
    typeof value === 'function' && value.prototype instanceof CrfError && name !== 'CrfError',
) as unknown as [string, ErrorClass][];

/** Returns the error of a row, with placeholder arguments, which do not affect its code. */
function errorOf({ code, name }: (typeof documented)[number]): CrfError | undefined {
  const Class = classes.find(([known]) => known === name)?.[1];
  if (name === 'ProblemError') return Class && new Class(code, { allowed: [], available: [], supported: [] });
  if (name === 'InvalidIdentifierError') return Class && new Class('A record id', 'is too short');
  return Class && new Class(TAKE_LISTS.has(name) ? [] : {}, {}, {});
}

const TAKE_LISTS: ReadonlySet<string> = new Set([
  'ConfigurationError',
  'IncompleteExportError',
  'InsufficientScopeError',
  'InvalidRecordsError',
  'InvalidRequestError',
  'PolicyInvalidError',
]);

describe('docs/reference/errors.md, the problem table and the error classes', () => {
  it('list the same codes, in the same order, with the same status', () => {
    const table = Object.entries(PROBLEMS).map(([code, { status }]) => ({ code, status }));

    expect(documented.map(({ code, status }) => ({ code, status }))).to.deep.equal(table);
  });

  it('list the same classes', () => {
    const names = new Set(documented.map(({ name }) => name));

    expect([...names].sort()).to.deep.equal(classes.map(([name]) => name).sort());
  });

  for (const row of documented) {
    it(`${row.name} has the code ${row.code} and the status listed on the page`, () => {
      const error = errorOf(row);

      expect(error).to.be.instanceOf(CrfError);
      expect({ code: error?.code, status: error?.status, name: error?.name }).to.deep.equal(row);
    });
  }
});

describe('ProblemError', () => {
  it('has the sentence of the table, with its details', () => {
    const error = new ProblemError('method_not_allowed', { allowed: ['GET', 'HEAD'] });

    expect(error.message).to.equal('Use GET, HEAD on this path.');
    expect(error.details.allowed).to.deep.equal(['GET', 'HEAD']);
  });

  it('names two media types with "or"', () => {
    const error = new ProblemError('not_acceptable', { available: ['application/json', 'text/csv'] });

    expect(error.message).to.equal('Accept application/json or text/csv.');
  });

  it('says when the same call may succeed, from the table or from the error', () => {
    const cause = new Error('away');

    expect(new ProblemError('identity_unavailable', { cause })).to.include({
      isRetryable: true,
      retryAfterSeconds: 5,
      cause,
    });
    expect(new ProblemError('identity_unavailable', { retryAfterSeconds: 9 }).retryAfterSeconds).to.equal(9);
    expect(new ProblemError('record_not_found')).to.include({ isRetryable: false });
  });

  it('is told by one of its codes', () => {
    const error: unknown = new ProblemError('record_not_found');
    const is = (...codes: PlainProblem[]): boolean => isProblem(error, ...codes);

    expect(is('record_not_found')).to.equal(true);
    expect(is('user_not_found', 'record_not_found')).to.equal(true);
    expect(is('user_not_found')).to.equal(false);
    expect(isProblem({ code: 'record_not_found' }, 'record_not_found')).to.equal(false);
  });
});

describe('CrfError.toJSON', () => {
  it('contains only what may leave the process, without cause and stack', () => {
    const error = new errors.RateLimitedError(7, { cause: new Error('secret') });
    error.requestId = 'r1';

    expect(JSON.parse(JSON.stringify(error))).to.deep.equal({
      name: 'RateLimitedError',
      code: 'rate_limited',
      status: 429,
      message: 'Too many requests. Try again in 7 seconds.',
      retryAfterSeconds: 7,
      requestId: 'r1',
    });
  });
});

describe('InvalidRecordsError', () => {
  const age = { record: '1', field: 'age', message: 'must be a whole number' };

  it('says in its message which field breaks which rule, without the record', () => {
    expect(new errors.InvalidRecordsError([age]).message).to.equal(
      'One value is not valid: age must be a whole number.',
    );
  });

  it('says in its message how many values are not valid, and why the first is not', () => {
    expect(new errors.InvalidRecordsError([age, { ...age, field: 'sex' }], { total: 250 }).message).to.equal(
      '250 values are not valid, the first: age must be a whole number.',
    );
  });
});
