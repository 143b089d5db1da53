import { SocketClosedUnexpectedlyError } from '@redis/client';
import { expect } from 'chai';
import { failureReason, isServerUseless } from '../../../../src/gateways/redis/failure-reason.js';

describe('failureReason', () => {
  for (const [what, error, reason] of [
    [
      'a code of Node',
      Object.assign(new Error('connect to 10.0.0.1'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['the first word of a refusal', new Error('NOAUTH Authentication required.'), 'NOAUTH'],
    [
      'the class of an error of the library',
      new SocketClosedUnexpectedlyError(),
      'SocketClosedUnexpectedlyError',
    ],
    ['the name of an error of the language', new TypeError('x is not a function'), 'TypeError'],
    ['its class, of an error that says no more', new Error('something at 10.0.0.1'), 'Error'],
    ['unknown, for what is no error', 'secret', 'unknown'],
  ] as const) {
    it(`is ${what}`, () => {
      expect(failureReason(error)).to.equal(reason);
    });
  }

  it('tells a server that can keep nothing from a command that failed', () => {
    expect(isServerUseless(failureReason(new Error('OOM command not allowed')))).to.equal(true);
    expect(isServerUseless(failureReason(new Error('WRONGTYPE Operation')))).to.equal(false);
  });
});
