import { expect } from 'chai';
import fc from 'fast-check';
import { isEmail } from '../../../src/domain/identifiers/email.js';
import { validateSignupEmail, type SignupEmailConfig } from '../../../src/validators.js';

const ANY: SignupEmailConfig = { domainValidation: { allowedDomainsRegexp: 'any' } };

function verdict(email: unknown, config = ANY): string {
  try {
    return validateSignupEmail(email, config);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const MALFORMED = 'invalid_identifier';

/** Addresses, each with its canonical form or its refusal. */
const TABLE: readonly (readonly [string, string])[] = [
  ['ada@example.org', 'ada@example.org'],
  ['Ada.Lovelace@Example.ORG', 'ada.lovelace@example.org'],
  ['ada+study@example.org', 'ada+study@example.org'],
  ['a.d.a@example.org', 'a.d.a@example.org'],
  ['a@b.co', 'a@b.co'],
  ['a_b-c@sub.example.org', 'a_b-c@sub.example.org'],
  ['#$&*+-/=?^_{|}~@example.org', '#$&*+-/=?^_{|}~@example.org'],
  [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
  [`${'a'.repeat(65)}@example.org`, MALFORMED],
  [`a@${'b'.repeat(63)}.org`, `a@${'b'.repeat(63)}.org`],
  [`a@${'b'.repeat(64)}.org`, MALFORMED],
  [`${'a'.repeat(60)}@${'b.'.repeat(95)}org`, `${'a'.repeat(60)}@${'b.'.repeat(95)}org`],
  [`${'a'.repeat(61)}@${'b.'.repeat(95)}orgx`, MALFORMED],
  ['1@2.org', '1@2.org'],
  ['a@1-2.org', 'a@1-2.org'],
  // Accepted after Unicode normalization (MAIL-04).
  ['a@ｅxample.org', 'a@example.org'],
  ['a@example。org', 'a@example.org'],
  ['a@example．org', 'a@example.org'],
  ['ａ@example.org', 'a@example.org'],
  ['a@\u212Aite.org', 'a@kite.org'],
  ['a＠example.org', 'a@example.org'],
  ['a@bücher.example', 'a@xn--bcher-kva.example'],
  ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
  ['a@bu\u0308cher.example', 'a@xn--bcher-kva.example'],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  ['a@ex\u0430mple.org', 'a@xn--exmple-4nf.org'],
  ['a@example.рф', 'a@example.xn--p1ai'],
  // Refused.
  ['a@example.org#', MALFORMED],
  ['a@example.org#b', MALFORMED],
  ['a@example.org/', MALFORMED],
  ['a@example.org/b', MALFORMED],
  ['a@example.org?x', MALFORMED],
  ['a@example.org?x=1', MALFORMED],
  ['a@b\u00fccher.example#', MALFORMED],
  ['a@b\u00fccher.example/', MALFORMED],
  ['a@xn--a.org', MALFORMED], // No valid Punycode: versions of Node disagree about it.
  ['a@XN--A.org', MALFORMED],
  ['a@xn--.org', MALFORMED],
  ['a@b\u00fccher_x.example', MALFORMED],
  ['a@\u0661.org', MALFORMED], // A lone Arabic digit breaks the rule for right-to-left names.
  ['', MALFORMED],
  ['@', MALFORMED],
  ['a', MALFORMED],
  ['a@', MALFORMED],
  ['@example.org', MALFORMED],
  ['a@example', MALFORMED],
  ['a@localhost', MALFORMED],
  ['a@@example.org', MALFORMED],
  ['a@b@example.org', MALFORMED],
  ['a@example.org@evil.com', MALFORMED],
  ['a@example.org＠evil.com', MALFORMED],
  ['a@b＠example.org', MALFORMED],
  ['a\uFE6Bb@example.org', MALFORMED],
  ['"a@evil.com"@example.org', MALFORMED],
  ['"a"@example.org', MALFORMED],
  ["o'brien@example.org", MALFORMED],
  ['a`b@example.org', MALFORMED],
  ['a(comment)@example.org', MALFORMED],
  ['a@(comment)example.org', MALFORMED],
  ['Ada <ada@example.org>', MALFORMED],
  ['<ada@example.org>', MALFORMED],
  ['ada@example.org,eve@evil.com', MALFORMED],
  ['ada@example.org;eve', MALFORMED],
  ['ada:x@example.org', MALFORMED],
  ['a\\b@example.org', MALFORMED],
  ['eve%evil.com@example.org', MALFORMED],
  ['evil.com!eve@example.org', MALFORMED],
  ['eve@example.org%2eevil.com', MALFORMED],
  [' ada@example.org', MALFORMED],
  ['ada@example.org ', MALFORMED],
  ['ada @example.org', MALFORMED],
  ['ada@example.org\n', MALFORMED],
  ['ada@example.org\r\nBcc: eve@evil.com', MALFORMED],
  ['ada\t@example.org', MALFORMED],
  ['ada\u0000@example.org', MALFORMED],
  ['ada\u007f@example.org', MALFORMED],
  ['ada\u00a0@example.org', MALFORMED],
  ['ada\u200b@example.org', MALFORMED],
  ['ada@exam\u00adple.org', MALFORMED],
  ['ada@exam\u200dple.org', MALFORMED],
  ['ada@\u202eexample.org', MALFORMED],
  ['ada@\ufeffexample.org', MALFORMED],
  ['ada@exa\ud800mple.org', MALFORMED],
  ['.ada@example.org', MALFORMED],
  ['ada.@example.org', MALFORMED],
  ['a..da@example.org', MALFORMED],
  ['ada@.example.org', MALFORMED],
  ['ada@example..org', MALFORMED],
  ['ada@example.org.', MALFORMED],
  ['ada@example.org。', MALFORMED],
  ['ada@-example.org', MALFORMED],
  ['ada@example-.org', MALFORMED],
  ['ada@exa_mple.org', MALFORMED],
  ['ada@exam/ple.org', MALFORMED],
  ['ada@example.org:25', MALFORMED],
  ['ada@[127.0.0.1]', MALFORMED],
  ['ada@[IPv6:::1]', MALFORMED],
  ['ada@127.0.0.1', MALFORMED],
  ['ada@127.1', MALFORMED],
  ['ada@0x7f.1', MALFORMED],
  ['ada@example.123', MALFORMED],
  ['ada@1.example.123', MALFORMED],
  ['ädа@example.org', MALFORMED],
  ['\u0430da@example.org', MALFORMED],
  ['ada℀@example.org', 'adaa/c@example.org'],
  ['ada@xn--a.org', MALFORMED],
];

describe('validateSignupEmail', () => {
  it('MAIL-01: has at least 60 addresses in its table', () => {
    expect(TABLE.length).to.be.at.least(60);
  });

  for (const [address, expected] of TABLE) {
    const shown = address.length > 60 ? `${address.length} characters` : JSON.stringify(address);
    it(`MAIL-01: turns ${shown} into ${expected.length > 60 ? 'itself' : expected}`, () => {
      expect(verdict(address)).to.equal(expected);
    });
  }

  for (const value of [undefined, null, 7, {}, [], ['ada@example.org'], { length: 5 }, true]) {
    it(`MAIL-01: refuses ${JSON.stringify(value)}, which is not text`, () => {
      expect(verdict(value)).to.equal(MALFORMED);
    });
  }

  it('MAIL-06: refuses an address of a megabyte', () => {
    expect(verdict(`${'a'.repeat(1_000_000)}@example.org`)).to.equal(MALFORMED);
  });

  it('MAIL-01, MAIL-05: accepts only valid canonical addresses of 20,000 random texts', () => {
    const piece = fc.oneof(
      fc.constantFrom(...'@.@.-+"\'`<>()[],;:\\%! \t\n\u0000＠﹫。．ｅÅ\u212A\u00ad\u200dßæхаxn--1'),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom('ada', 'example', 'org', 'xn--bcher-kva', '127', '0x7f'),
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc
        .tuple(fc.array(piece, { maxLength: 3 }), fc.array(piece, { minLength: 1, maxLength: 3 }))
        .map(([local, domain]) => `${local.join('')}a@${domain.join('')}b.org`),
    );
    let accepted = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const address = verdict(text);
        if (address === MALFORMED) return;
        accepted += 1;
        expect(address).to.match(/^[\u0021-\u007e]{3,254}$/);
        expect(address.split('@')).to.have.length(2);
        expect(address).to.match(
          /^[^.@](?:[^@]{0,62}[^.@])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/,
        );
        expect(address).to.not.match(/["'`<>()[\],;:\\%!\s]|\.\.|\.@/);
        expect(address).to.equal(address.toLowerCase());
        expect(verdict(address)).to.equal(address); // The canonical form of a canonical address is the address itself.
        expect(isEmail(address)).to.equal(true); // Sign-in is stricter than data capture.
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).to.be.above(1_000); // Otherwise the test has checked too few addresses.
  }).timeout(120_000);

  it('repeats no part of the address', () => {
    const error = thrown(() => validateSignupEmail('SENTINEL @example.org', ANY));

    expect(error.message).to.match(/^An email address must be a plain name@domain/);
    expect(error.message).to.not.include('SENTINEL').and.not.include('example.org');
  });
});

/** Pattern, address, and whether the address is allowed. */
const ADMISSIONS: readonly (readonly [RegExp | string, string, boolean])[] = [
  ['a\\.org', 'x@a.org', true],
  ['a\\.org', 'x@A.ORG', true],
  ['a\\.org', 'x@ａ.org', true],
  ['a\\.org', 'x@evila.org', false],
  ['a\\.org', 'x@a.org.evil.com', false],
  ['a\\.org', 'x@sub.a.org', false],
  ['a\\.org', 'a.org@evil.com', false],
  ['a.org', 'x@a-org.evil.com', false],
  ['(?:.+\\.)?a\\.org', 'x@sub.a.org', true],
  ['(?:.+\\.)?a\\.org', 'x@evila.org', false],
  ['a\\.org|b\\.org', 'x@b.org', true],
  ['a\\.org|b\\.org', 'x@a.orgb.org', false],
  ['@(a\\.org|b\\.org)', 'x@a.org', true],
  ['@(a\\.org|b\\.org)', 'x@a.org.evil.com', false],
  ['@(a\\.org|b\\.org)', 'x@evila.org', false],
  [/a\.org$/, 'x@a.org', true],
  [/a\.org$/, 'x@evila.org', false],
  [/^a\.org/, 'x@a.org.evil.com', false],
  [/^.+@a\.org|b\.org$/, 'x@a.org', true],
  [/^.+@a\.org|b\.org$/, 'x@b.org', true],
  [/^.+@a\.org|b\.org$/, 'x@evilb.org', false],
  [/^.+@a\.org|b\.org$/, 'x@a.org.evil.com', false],
  [/^.+@(a\.org)$/, 'x@a.org', true],
  [/^.+@(a\.org)$/, 'x@b.org', false],
  [/\w+@a\.org/, 'x.y@a.org', false],
  [/[\w.]+@a\.org/, 'x.y@a.org', true],
  [/ada@a\.org/, 'ada@a.org', true],
  [/ada@a\.org/, 'bada@a.org', false],
  [/ada@a\.org/, 'ada.bada@a.org', false],
  [/ada@a\.org|bob@a\.org/, 'bob@a.org', true],
  [/ada@a\.org|bob@a\.org/, 'bbob@a.org', false],
  [/ada@a\.org|@b\.org/, 'ada@b.org', true],
  [/a@b\.org|@b\.org/, 'ba@b.org', true],
  [/[@.]a\.org/, 'x@a.org', true],
  [/[@.]a\.org/, 'x@b.a.org', false],
  [/^[a-z]*@a\.org$/, 'x.1@a.org', false],
  [/^@a\.org$/, 'x@a.org', false],
  [/^ada@a\.org$/, 'ada@a.org', true],
  [/^ada@a\.org$/, 'eve@a.org', false],
  [/[^.]{5}\.org/, 'q@abc.org', false],
  [/[^.]{5}\.org/, 'q@abcde.org', true],
  [/A\.ORG/, 'x@a.org', true],
  [/k\.org/, 'x@\u212A.org', true],
  [/example\.org/, 'a@ex\u0430mple.org', false],
  ['xn--bcher-kva\\.example', 'a@bücher.example', true],
  ['any', 'x@whatever.example', true],
];

describe('validateSignupEmail with an allow-list', () => {
  for (const [allowed, address, isAdmitted] of ADMISSIONS) {
    it(`MAIL-02, MAIL-04: ${isAdmitted ? 'admits' : 'refuses'} ${address} with ${String(allowed)}`, () => {
      const outcome = verdict(address, { domainValidation: { allowedDomainsRegexp: allowed } });

      expect(outcome.includes('@') ? 'admitted' : outcome).to.equal(
        isAdmitted ? 'admitted' : 'domain_not_allowed',
      );
    });
  }

  for (const flags of ['g', 'y', 'm', 'gi']) {
    it(`MAIL-03: refuses a pattern with the flags ${flags}`, () => {
      const config = { domainValidation: { allowedDomainsRegexp: new RegExp('a\\.org', flags) } };

      expect(verdict('x@a.org', config)).to.equal('invalid_configuration');
    });
  }

  it('MAIL-03: returns the same result a hundred times', () => {
    const config = { domainValidation: { allowedDomainsRegexp: /a\.org/ } };

    const answers = new Set(Array.from({ length: 100 }, () => verdict('x@a.org', config)));

    expect([...answers]).to.deep.equal(['x@a.org']);
  });

  const slow = [
    '^([a-z0-9]+[._-]?)+@a\\.org$',
    '(a+)+',
    '([a-z]+)*\\.org',
    '(.*)*x',
    '(study|s.*)*\\.org',
    '(-?\\w+)+\\.a',
    '(?:[\\x71-\\x74]+)+\\.org',
    '(?:[\\u0061-\\u007a]+)+\\.org',
  ];
  for (const source of slow) {
    it(`MAIL-06: matches ${source} without hanging`, () => {
      const config = { domainValidation: { allowedDomainsRegexp: source } };
      const long = 'a.'.repeat(94);

      for (const domain of ['a'.repeat(62), 'q'.repeat(62), 'org.'.repeat(40), '-a'.repeat(30) + 'a', long]) {
        expect(verdict(`x@${domain}!`, config)).to.equal(MALFORMED);
        expect(verdict(`x@${domain.replace(/^-/, 'b')}a.zz`, config)).to.equal('domain_not_allowed');
      }
    });
  }

  for (const source of ['(?!evil).*', '(?<=a)b', '(a)\\1', '(?:a{1000}){1000}', '.{1,900}'.repeat(20)]) {
    it(`MAIL-06: refuses ${source.slice(0, 20)}, which cannot be matched in linear time`, () => {
      expect(verdict('x@a.org', { domainValidation: { allowedDomainsRegexp: source } })).to.equal(
        'invalid_configuration',
      );
    });
  }

  const missing: [string, unknown, string][] = [
    ['no setting', {}, 'is missing'],
    ['undefined', { allowedDomainsRegexp: undefined }, 'is missing'],
    ['null', { allowedDomainsRegexp: null }, 'is missing'],
    ['an empty text', { allowedDomainsRegexp: '' }, 'is missing'],
    ['blanks', { allowedDomainsRegexp: '  ' }, 'is missing'],
    ['an empty expression', { allowedDomainsRegexp: new RegExp('') }, 'is missing'],
    ['a broken expression', { allowedDomainsRegexp: '(SENTINEL' }, 'is not a regular expression'],
    ['an unbalanced bracket', { allowedDomainsRegexp: 'SENTINEL)|(?:.*' }, 'is not a regular expression'],
    ['an overlong expression', { allowedDomainsRegexp: 'x'.repeat(4_097) }, 'has more than 4096 characters'],
    ['a number', { allowedDomainsRegexp: 7 }, 'is missing'],
    ['a flag', { allowedDomainsRegexp: /SENTINEL/g }, 'must not have the flag'],
    ['a lookahead', { allowedDomainsRegexp: '(?!SENTINEL).*' }, 'must do without lookaheads'],
    ['long repetitions', { allowedDomainsRegexp: '.{1,900}'.repeat(20) }, 'is too large'],
  ];
  for (const [name, domainValidation, rule] of missing) {
    it(`MAIL-07: refuses ${name} as an allow-list, naming the setting and the rule but not the value`, () => {
      const config = { domainValidation } as SignupEmailConfig;

      const error = thrown(() => validateSignupEmail('x@a.org', config));

      expect(error).to.have.property('code', 'invalid_configuration');
      expect(error.message).to.include(`allowedDomainsRegexp ${rule}`).and.not.include('SENTINEL');
    });
  }

  it('accepts an allow-list of 4,096 characters', () => {
    const allowedDomainsRegexp = `a\\.org|${'x'.repeat(4_089)}`;

    expect(verdict('x@a.org', { domainValidation: { allowedDomainsRegexp } })).to.equal('x@a.org');
  });

  it('MAIL-08: applies an allow-list that was replaced in the same configuration', () => {
    const config = { domainValidation: { allowedDomainsRegexp: 'a\\.org' } };
    expect(verdict('x@a.org', config)).to.equal('x@a.org');

    config.domainValidation.allowedDomainsRegexp = 'b\\.org';

    expect(verdict('x@a.org', config)).to.equal('domain_not_allowed');
    expect(verdict('x@b.org', config)).to.equal('x@b.org');
  });

  it('MAIL-07: refuses a configuration without domainValidation, and a missing configuration', () => {
    for (const config of [{}, null]) {
      expect(verdict('x@a.org', config as SignupEmailConfig)).to.equal('invalid_configuration');
    }
  });

  it('MAIL-09: keeps tags and dots, which are part of the identity', () => {
    expect(verdict('a+1@x.org')).to.not.equal(verdict('a@x.org'));
  });
});

function thrown(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Expected an Error.');
}
