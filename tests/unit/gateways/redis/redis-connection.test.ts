import { SocketClosedUnexpectedlyError } from '@redis/client';
import { expect } from 'chai';
import { failureReason, isServerUseless } from '../../../../src/gateways/redis/redis-connection.js';

describe('failureReason', () => {
  for (const [what, error, reason] of [
    [
      'a code of Node',
      Object.assign(new Error('connect to 10.0.0.1'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['the first word of an error reply', new Error('NOAUTH Authentication required.'), 'NOAUTH'],
    [
      'the class of an error of the Redis library',
      new SocketClosedUnexpectedlyError(),
      'SocketClosedUnexpectedlyError',
    ],
    ['the name of a JavaScript error', new TypeError('x is not a function'), 'TypeError'],
    ['the class of an error that has nothing else', new Error('something at 10.0.0.1'), 'Error'],
    ['"unknown" for a value that is not an error', 'secret', 'unknown'],
  ] as const) {
    it(`is ${what}`, () => {
      expect(failureReason(error)).to.equal(reason);
    });
  }

  it('distinguishes a server that cannot store anything from a failed command', () => {
    expect(isServerUseless(failureReason(new Error('OOM command not allowed')))).to.equal(true);
    expect(isServerUseless(failureReason(new Error('WRONGTYPE Operation')))).to.equal(false);
  });
});
