import { expect } from 'chai';
import type { Request } from 'express';
import { isReadOnly } from '../../../src/http/read-only.js';

const isRead = (headers: Record<string, string>, method = 'GET'): boolean =>
  isReadOnly({ method, headers } as unknown as Request);

describe('isReadOnly', () => {
  it('LOGIN-01: is true for HEAD', () => {
    expect(isRead({}, 'HEAD')).to.equal(true);
  });

  for (const header of ['sec-purpose', 'purpose', 'x-moz', 'x-purpose']) {
    for (const value of ['prefetch', 'prerender', 'preview', 'prefetch;prerender', 'Prerender']) {
      it(`LOGIN-02: is true for ${header}: ${value}`, () => {
        expect(isRead({ [header]: value })).to.equal(true);
      });
    }

    it(`LOGIN-02: is false for ${header} with another value`, () => {
      expect(isRead({ [header]: 'fetch' })).to.equal(false);
    });
  }

  for (const destination of ['image', 'iframe', 'script', 'empty']) {
    it(`LOGIN-02: is true when a page loads it as ${destination}`, () => {
      expect(isRead({ 'sec-fetch-dest': destination, 'sec-fetch-mode': 'no-cors' })).to.equal(true);
      expect(isRead({ 'sec-fetch-dest': destination })).to.equal(true);
    });
  }

  for (const headers of [
    {},
    { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-mode': 'cors' }, // All that Node's fetch sends.
  ]) {
    it(`is false for a click: ${JSON.stringify(headers)}`, () => {
      expect(isRead(headers)).to.equal(false);
    });
  }

  it('is true for a fetch from a page, judged by its mode alone', () => {
    expect(isRead({ 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' })).to.equal(true);
  });
});
