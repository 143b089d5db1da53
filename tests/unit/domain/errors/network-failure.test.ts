import { expect } from 'chai';
import { describeNetworkFailure } from '../../../../src/domain/errors/network-failure.js';

describe('describeNetworkFailure', () => {
  for (const [code, sentence] of [
    ['ENOTFOUND', 'the name of the host was not found (ENOTFOUND)'],
    ['EAI_AGAIN', 'the name of the host was not found (EAI_AGAIN)'],
    ['ECONNREFUSED', 'the connection was refused (ECONNREFUSED)'],
    ['ECONNRESET', 'the connection was broken (ECONNRESET)'],
    ['ETIMEDOUT', 'no connection in time (ETIMEDOUT)'],
    ['EHOSTUNREACH', 'there is no route to the host (EHOSTUNREACH)'],
    ['CERT_HAS_EXPIRED', 'the certificate or the TLS protocol was refused (CERT_HAS_EXPIRED)'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'the certificate or the TLS protocol was refused (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'the certificate or the TLS protocol was refused (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    ['EMFILE', 'the connection failed (EMFILE)'],
  ] as const) {
    it(`says what ${code} means`, () => {
      expect(describeNetworkFailure(code)).to.equal(sentence);
    });
  }
});
