import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import * as errors from '../../../../src/domain/errors/index.js';
import { CrfError, PROBLEMS } from '../../../../src/domain/errors/index.js';

/** Rows of docs/errors.md: code, status and class. */
const documented = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, code, status, name] = /^\| `([a-z_]+)` +\| (\d{3}) +\| `(\w+)` +\|/.exec(line) ?? [];
    return code === undefined || name === undefined ? [] : [{ code, status: Number(status), name }];
  });

const classes = Object.entries(errors).filter(
  ([name, value]) => typeof value === 'function' && name !== 'CrfError',
) as unknown as [string, new (...args: unknown[]) => CrfError][];

/** Returns an instance of a class with placeholder arguments, which do not affect its code. */
function instanceOf(name: string, Class: new (...args: unknown[]) => CrfError): CrfError {
  return new Class(TAKE_LISTS.has(name) ? [] : {}, {}, {});
}

const TAKE_LISTS: ReadonlySet<string> = new Set([
  'ConfigurationError',
  'DomainNotAllowedError',
  'IncompleteExportError',
  'InsufficientScopeError',
  'InvalidRecordsError',
  'InvalidRequestError',
  'MethodNotAllowedError',
  'NotAcceptableError',
  'PolicyInvalidError',
  'UnsupportedMediaTypeError',
]);

describe('docs/errors.md, the problem table and the error classes', () => {
  it('list the same codes, in the same order, with the same status', () => {
    const table = Object.entries(PROBLEMS).map(([code, { status }]) => ({ code, status }));

    expect(documented.map(({ code, status }) => ({ code, status }))).to.deep.equal(table);
  });

  it('list the same classes', () => {
    expect(documented.map(({ name }) => name).sort()).to.deep.equal(classes.map(([name]) => name).sort());
  });

  for (const [name, Class] of classes) {
    it(`${name} has the code and the status listed on the page`, () => {
      const error = instanceOf(name, Class);
      const row = documented.find((candidate) => candidate.name === name);

      expect(error).to.be.instanceOf(CrfError);
      expect({ code: error.code, status: error.status, name: error.name }).to.deep.equal(row);
    });
  }
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
