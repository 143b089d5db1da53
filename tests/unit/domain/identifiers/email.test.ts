import { expect } from 'chai';
import { Email, isEmail } from '../../../../src/domain/identifiers/email.js';

describe('Email', () => {
  it('lowercases the domain and keeps the local part', () => {
    expect(Email('Ada.Lovelace@Example.ORG')).to.equal('Ada.Lovelace@example.org');
  });

  it('recognizes only the form with a lower-case domain', () => {
    expect(isEmail('Ada@example.org')).to.be.true;
    expect(isEmail('ada@Example.org')).to.be.false;
  });

  it('names the rule when it refuses an address', () => {
    expect(() => Email('ada')).to.throw('An email address must have one @, a domain with a dot');
  });

  const refused = [
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'ada@@example.org',
    'a@b@example.org',
    'ada lovelace@example.org',
    '"ada"@example.org',
    "ada'x@example.org",
    'ada@example..org',
    'ada@.example.org',
    'ada@example.org\n',
    `${'a'.repeat(250)}@example.org`,
  ];
  for (const value of refused) {
    it(`refuses ${JSON.stringify(value.slice(0, 40))}`, () => {
      expect(() => Email(value))
        .to.throw()
        .with.property('code', 'invalid_identifier');
      expect(isEmail(value)).to.be.false;
    });
  }
});
