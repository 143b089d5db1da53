import { expect } from 'chai';
import { requestLine } from '../../../../src/server/logging/request-line.js';

const line = { msg: 'request', method: 'GET', route: '/health', status: 200, durationMs: 1.2, bytes: 300 };

describe('requestLine', () => {
  it('describes a request in one line', () => {
    expect(requestLine({ ...line, caller: 'key:portal' })).to.equal(
      'GET /health 200 1.2 ms 300 bytes key:portal',
    );
  });

  it('marks a request as aborted', () => {
    expect(requestLine({ ...line, aborted: true })).to.equal('GET /health 200 1.2 ms 300 bytes aborted');
  });

  it('ignores other log entries', () => {
    expect(requestLine({ msg: 'listening' })).to.equal(undefined);
  });
});
