import { expect } from 'chai';
import type { Request } from 'express';
import { isSameOrigin, mayComeFromPage } from '../../../src/http/same-origin.js';

const requestWith = (headers: Record<string, string>): Request => ({ headers }) as unknown as Request;
const TRUSTED = ['https://app.example.org', 'http://127.0.0.1:3000'];

describe('isSameOrigin', () => {
  for (const [headers, expected] of [
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://app.example.org' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://app.example.org' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-origin-ish' }, false],
    [{ 'sec-fetch-site': 'not-same-origin' }, false],
    [{ 'sec-fetch-site': '', origin: 'https://app.example.org' }, false],
    [{ origin: 'https://app.example.org' }, true],
    [{ origin: 'HTTPS://APP.example.org' }, true],
    [{ origin: 'https://app.example.org:443' }, true],
    [{ origin: 'http://127.0.0.1:3000' }, true],
    [{ origin: 'http://127.0.0.1:30000' }, false],
    [{ origin: 'http://127.0.0.1' }, false],
    [{ origin: 'https://app.example.org:8443' }, false],
    [{ origin: 'http://app.example.org' }, false],
    [{ origin: 'https://app.example.org.evil.test' }, false],
    [{ origin: 'https://app.example.or' }, false],
    [{ origin: 'https://evil-app.example.org' }, false],
    [{ origin: 'https://evil.app.example.org' }, false],
    [{ origin: 'https://example.org' }, false],
    [{ origin: 'https://app.example.org/' }, false],
    [{ origin: 'https://app.example.org/path' }, false],
    [{ origin: 'x https://app.example.org' }, false],
    [{ origin: 'blob:https://app.example.org' }, false],
    [{ origin: 'app.example.org' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: 'https://[' }, false],
    [{}, false],
  ] as const) {
    it(`CSRF-01: ${expected ? 'accepts' : 'refuses'} ${JSON.stringify(headers)}`, () => {
      expect(isSameOrigin(requestWith(headers), TRUSTED)).to.equal(expected);
    });
  }

  it('CSRF-01: refuses an unlisted origin if no origin is trusted', () => {
    expect(isSameOrigin(requestWith({ origin: 'https://evil.test' }), [])).to.equal(false);
  });

  it('CSRF-01: never trusts an invalid or missing origin, even if `null` is listed by mistake', () => {
    for (const headers of [{ origin: 'null' }, { origin: 'nonsense' }, {}])
      expect(isSameOrigin(requestWith(headers), ['null']), JSON.stringify(headers)).to.equal(false);
  });
});

describe('mayComeFromPage', () => {
  for (const [headers, expected] of [
    [{}, false],
    [{ 'user-agent': 'curl' }, false],
    [{ cookie: '' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: 'null' }, true],
  ] as const) {
    it(`AUTH-07: is ${expected} for ${JSON.stringify(headers)}`, () => {
      expect(mayComeFromPage(requestWith(headers))).to.equal(expected);
    });
  }
});
