import { inspect } from 'node:util';
import { expect } from 'chai';
import * as validators from '../../../src/validators.js';
import { checkRequestBody, validateMagicUrlLogin, validateUserId } from '../../../src/validators.js';

const SECRET = 'ab'.repeat(32);

describe('./validators', () => {
  it('exports exactly the documented functions', () => {
    expect(Object.keys(validators).sort()).to.deep.equal([
      'checkRequestBody',
      'validateMagicUrlLogin',
      'validateSignupEmail',
      'validateUserId',
    ]);
  });
});

describe('validateMagicUrlLogin', () => {
  it('returns the two parts of a link', () => {
    expect(validateMagicUrlLogin('ada', SECRET)).to.deep.equal({ userId: 'ada', secret: SECRET });
  });

  for (const secret of ['x', 'a'.repeat(256), 'eyJhbGciOi.JI_UzI1-NiJ9~']) {
    it(`LOGIN-10: accepts a secret of ${secret.length} characters in any encoding`, () => {
      expect(validateMagicUrlLogin('ada', secret).secret).to.equal(secret);
    });
  }

  const refused: [string, unknown, unknown][] = [
    ['no user id', undefined, SECRET],
    ['no secret', 'ada', undefined],
    ['an empty secret', 'ada', ''],
    ['a long secret', 'ada', 'a'.repeat(257)],
    ['a secret that needs escaping', 'ada', 'a/b'],
    ['a number', 'ada', 7],
    ['a megabyte', 'ada', 'a'.repeat(1_000_000)],
    ['several secrets', 'ada', [SECRET, SECRET]],
    ['an object', 'ada', { toString: () => SECRET }],
    ['a line break', 'ada', `${SECRET}\n`],
    ['markup', 'ada', '<script>'],
    ['several user ids', ['ada'], SECRET],
    ['a path as user id', '../ada', SECRET],
  ];
  for (const [name, userId, secret] of refused) {
    it(`LOGIN-10: refuses ${name}`, () => {
      expect(() => validateMagicUrlLogin(userId, secret))
        .to.throw()
        .with.property('code', 'invalid_identifier');
    });
  }

  it('names the rule in an error, and repeats neither part', () => {
    const rule =
      'The secret of a sign-in link has 1 to 256 letters, digits, dots, underscores, tildes and hyphens';
    expect(() => validateMagicUrlLogin('ada', 'SENTINEL!'))
      .to.throw(rule)
      .and.satisfy((error: Error) => !error.message.includes('SENTINEL'));
  });
});

describe('validateUserId', () => {
  for (const id of ['a', 'Ada_1.2-3', 'a'.repeat(36)]) {
    it(`accepts ${id}`, () => expect(validateUserId(id)).to.equal(id));
  }

  for (const id of [
    '',
    '_a',
    '.',
    '..',
    'a b',
    'a/b',
    'a\n',
    'a'.repeat(37),
    'ä',
    7,
    null,
    undefined,
    ['a'],
    {},
  ]) {
    it(`refuses ${JSON.stringify(id)}`, () => {
      expect(() => validateUserId(id))
        .to.throw()
        .with.property('code', 'invalid_identifier');
    });
  }
});

describe('checkRequestBody', () => {
  it('returns a body that has its fields', () => {
    const body = { email: 'ada@example.org', more: 1 };

    expect(checkRequestBody(body)).to.equal(body);
    expect(checkRequestBody(Object.assign(Object.create(null), body) as object)).to.have.property('more', 1);
  });

  for (const body of [null, undefined, [], [{ email: 'a@b.org' }], 'email', 7, true]) {
    it(`refuses ${JSON.stringify(body)}, which is not an object`, () => {
      expect(() => checkRequestBody(body))
        .to.throw('body must be a JSON object')
        .with.property('code', 'invalid_request');
    });
  }

  for (const body of [{}, { email: null }, { email: '' }, { email: undefined }, { Email: 'a@b.org' }]) {
    it(`refuses ${inspect(body)}, which lacks the field`, () => {
      expect(() => checkRequestBody(body)).to.throw('email is required');
    });
  }

  it('names every missing field', () => {
    expect(() => checkRequestBody({ userId: 'ada' }, ['userId', 'secret', 'toString']))
      .to.throw()
      .with.property('errors')
      .that.deep.equals([
        { field: 'secret', message: 'is required' },
        { field: 'toString', message: 'is required' },
      ]);
  });

  for (const value of [0, false, [], {}]) {
    it(`treats ${JSON.stringify(value)} as present`, () => {
      expect(checkRequestBody({ email: value }).email).to.equal(value);
    });
  }
});
