import { expect } from 'chai';
import { validateMagicUrlLogin, validateUserId } from '../../../../src/services/auth/magic-url-login.js';

describe('The parts of a link', () => {
  it('LOGIN-10: are accepted in any alphabet that needs no escaping, up to 256 characters', () => {
    for (const secret of ['a', 'f00d'.repeat(64), 'Az09._~-']) {
      expect(validateMagicUrlLogin('ada', secret)).to.deep.equal({ userId: 'ada', secret });
    }
  });

  it('LOGIN-10: are refused otherwise, with the rule but without the value', () => {
    const rule =
      'The secret of a sign-in link has 1 to 256 letters, digits, dots, underscores, tildes and hyphens';
    for (const secret of [
      '',
      'SENTINEL x',
      'SENTINEL\n',
      'a'.repeat(257),
      'a/b',
      undefined,
      7,
      ['SENTINEL'],
    ]) {
      expect(() => validateMagicUrlLogin('ada', secret), String(secret))
        .to.throw(rule)
        .with.property('code', 'invalid_identifier');
      expect(() => validateMagicUrlLogin('ada', secret)).to.not.throw('SENTINEL');
    }
    for (const userId of ['', '../users', undefined, 7, ['ada']]) {
      expect(() => validateMagicUrlLogin(userId, 'secret'), String(userId))
        .to.throw()
        .with.property('code', 'invalid_identifier');
      expect(() => validateUserId(userId), String(userId))
        .to.throw()
        .with.property('code', 'invalid_identifier');
    }
  });
});
