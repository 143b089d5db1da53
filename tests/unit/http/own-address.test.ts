import { expect } from 'chai';
import fc from 'fast-check';
import { ownAddress } from '../../../src/http/own-address.js';

describe('An address of this service (LOGIN-13)', () => {
  for (const address of [
    '/',
    '/dashboard',
    '/dashboard/forms?status=incomplete&site=a%20b',
    '/projects/a/help',
  ])
    it(`stays as it is: ${address}`, () => {
      expect(ownAddress(address)).to.equal(address);
    });

  for (const address of [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'dashboard',
    ' /dashboard',
    '',
    undefined,
    ['/dashboard'],
  ])
    it(`is not ${JSON.stringify(address)}`, () => {
      expect(ownAddress(address)).to.equal(undefined);
    });

  it('leads to this origin in every browser, whatever is given', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      '%2f',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const address = ownAddress(`/${pieces.join('')}`);
        if (address !== undefined)
          expect(new URL(address, 'https://service.example').origin).to.equal('https://service.example');
      }),
    );
  });
});
