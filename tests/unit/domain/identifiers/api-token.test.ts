import { expect } from 'chai';
import { ApiToken, isApiToken } from '../../../../src/domain/identifiers/api-token.js';
import { printed } from '../../../support/printed.js';

describe('ApiToken', () => {
  const characters = 'ABCDEF0123456789ABCDEF0123456789';

  it('returns its characters in upper case only from reveal', () => {
    expect(ApiToken(characters.toLowerCase()).reveal()).to.equal(characters);
  });

  it('accepts a super token', () => {
    expect(isApiToken(ApiToken(characters.repeat(2)))).to.be.true;
  });

  for (const [description, value] of [
    ['31 characters', characters.slice(1)],
    ['33 characters', `${characters}A`],
    ['a letter beyond F', characters.replace('A', 'G')],
    ['a line break', `${characters}\n`],
  ] as const) {
    it(`refuses ${description} without repeating it`, () => {
      expect(() => ApiToken(value))
        .to.throw()
        .that.satisfies((error: Error) => !printed(error).includes(characters.slice(1, 31)));
    });
  }

  it('LIB-02: shows nothing in a template, in JSON, in inspect or as a property', () => {
    const token = ApiToken(characters);
    const shown = `${String(token)} ${JSON.stringify({ token })} ${printed({ token })}`;

    expect(shown).to.not.include(characters);
    expect(JSON.stringify(Object.getOwnPropertyNames(token))).to.equal('[]');
  });
});
