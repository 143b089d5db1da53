import { expect } from 'chai';
import { UpstreamUnavailableError } from '../../../../src/domain/errors/upstream-errors.js';
import { describeError } from '../../../../src/server/logging/describe-error.js';

describe('describeError', () => {
  it('ERR-02: omits the message of an unexpected error, but keeps class, code and stack', () => {
    const error = Object.assign(new TypeError('SENTINEL'), { code: 'ECONNRESET' });

    const described = describeError(error);

    expect(described).to.include({ type: 'TypeError', code: 'ECONNRESET' });
    expect(described.stack).to.include('describe-error.test.ts');
    expect(JSON.stringify(described)).to.not.include('SENTINEL');
  });

  it('ERR-02: is not deceived by a message whose lines look like stack frames', () => {
    const error = new Error('first\n    at SENTINEL (file:1:2)\nlast');

    expect(JSON.stringify(describeError(error))).to.not.include('SENTINEL');
  });

  it('keeps the message of our own errors, and describes their cause', () => {
    const error = new UpstreamUnavailableError('connect', { cause: new Error('SENTINEL') });

    const described = describeError(error);

    expect(described).to.include({ code: 'upstream_unavailable', message: error.message });
    expect(described.cause).to.include({ type: 'Error' });
    expect(JSON.stringify(described)).to.not.include('SENTINEL');
  });

  it('terminates even if an error is its own cause', () => {
    const error = new Error('round');
    error.cause = error;

    expect(JSON.stringify(describeError(error)).match(/"type"/g)).to.have.length(6);
  });

  it('keeps the code of a network failure, which is all that is kept of it', () => {
    const error = new UpstreamUnavailableError('connect', { cause: { code: 'ECONNREFUSED' } });

    expect(describeError(error)).to.deep.include({
      message: error.message,
      cause: { type: 'object', code: 'ECONNREFUSED' },
    });
    expect(error.message).to.include('the connection was refused (ECONNREFUSED)');
  });

  it('ERR-02: keeps no other text as a code', () => {
    expect(describeError({ code: 'SENTINEL value' })).to.deep.equal({ type: 'object' });
  });

  it('reveals only the type of a thrown value', () => {
    expect(describeError('SENTINEL')).to.deep.equal({ type: 'string' });
  });
});
