import { expect } from 'chai';
import { authSettings, type AuthServiceConfig } from '../../../../src/services/auth/auth-settings.js';

const GOOD: AuthServiceConfig = {
  appwrite: { endpoint: 'https://id.example.org/v1', projectId: 'study', apiKey: 'key' },
  loginUrl: 'https://app.example.org/login',
  domainValidation: { allowedDomainsRegexp: 'example\\.org' },
};

/** Returns the settings that are refused, with their rules. */
function refusals(overrides: Partial<AuthServiceConfig>): unknown {
  try {
    authSettings({ ...GOOD, ...overrides });
    return [];
  } catch (error) {
    return error instanceof Error && 'errors' in error ? error.errors : error;
  }
}

describe('authSettings', () => {
  it('has the documented defaults', () => {
    const { clock, loginUrl, ...rest } = authSettings(GOOD);

    expect(loginUrl.href).to.equal(GOOD.loginUrl);
    expect(Math.abs(clock().getTime() - Date.now())).to.be.below(60_000);
    expect(rest).to.deep.equal({
      linkMaxAgeSeconds: 600,
      sessionMaxAgeSeconds: 43_200,
      sessionIdleSeconds: 1_800,
      recentSignInSeconds: 600,
      sessionCheckSeconds: 30,
      signupFloorMs: 500,
      isSecure: true,
      resolveUserId: undefined,
      onAccountDeleted: undefined,
      loginConfirm: 'never',
      showAllowedDomains: false,
      signedLinksOnly: false,
      sessionCookieName: '__Host-crf_session',
      bindingCookieName: '__Host-crf_session_link',
      wait: undefined,
    });
  });

  const ranges = {
    linkMaxAgeSeconds: [30, 3_600],
    sessionMaxAgeSeconds: [60, 31_536_000],
    sessionIdleSeconds: [300, 31_536_000],
    recentSignInSeconds: [30, 86_400],
    sessionCheckSeconds: [0, 60],
    signupFloorMs: [0, 60_000],
  } as const;
  for (const [field, [least, most]] of Object.entries(ranges)) {
    it(`accepts ${field} from ${least} to ${most}`, () => {
      for (const value of [least, most]) expect(refusals({ [field]: value })).to.deep.equal([]);
      for (const value of [least - 1, most + 1, least + 0.5, Number.NaN, `${most}`]) {
        expect(refusals({ [field]: value }), String(value)).to.deep.equal([
          { field, message: `must be a whole number from ${least} to ${most}` },
        ]);
      }
    });
  }

  const LOGIN_URL_RULE =
    'must be an absolute https: URL (http: on a loopback host only) without credentials and fragment';
  for (const loginUrl of [
    'https://app.example.org/login',
    'https://app.example.org',
    'https://app.example.org/a?b=c',
    'http://localhost:3000/login',
    'http://127.0.0.1/login',
    'http://[::1]:3000/login',
  ]) {
    it(`accepts the loginUrl ${loginUrl}`, () => {
      expect(refusals({ loginUrl })).to.deep.equal([]);
    });
  }
  for (const loginUrl of [
    undefined,
    7,
    '',
    '/login',
    'app.example.org/login',
    'ftp://localhost/login',
    'ftp://app.example.org',
    'http://app.example.org/login',
    'https://ada@app.example.org',
    'https://:secret@app.example.org',
    'https://app.example.org/#',
    'https://app.example.org/a b',
    ' https://app.example.org',
    'https:\\\\app.example.org',
    'https://app.example.org/\u0000',
    'https://app.example.org/\u001f',
    'https://app.example.org/\u007f',
    'https://app.example.org/\u009f',
  ]) {
    it(`refuses the loginUrl ${JSON.stringify(loginUrl)}`, () => {
      expect(refusals({ loginUrl: loginUrl as string })).to.deep.equal([
        { field: 'loginUrl', message: LOGIN_URL_RULE },
      ]);
    });
  }

  it('COOK-04: sends cookies without Secure only on a loopback host', () => {
    const message = 'must be true unless loginUrl (LOGIN_URL) is on a loopback host';

    expect(refusals({ secureCookies: false })).to.deep.equal([{ field: 'secureCookies', message }]);
    expect(refusals({ secureCookies: false, loginUrl: 'https://localhost/login' })).to.deep.equal([]);
    expect(authSettings({ ...GOOD, loginUrl: 'http://localhost:3000/login' })).to.include({
      isSecure: false,
      sessionCookieName: 'crf_session',
      bindingCookieName: 'crf_session_link',
    });
    expect(
      authSettings({ ...GOOD, loginUrl: 'http://localhost:3000/login', secureCookies: true }),
    ).to.include({ isSecure: true, sessionCookieName: '__Host-crf_session' });
  });

  it('accepts names of cookies that need no quotes, up to 64 characters', () => {
    expect(authSettings({ ...GOOD, cookieName: 'My-study_2' }).sessionCookieName).to.equal(
      '__Host-My-study_2',
    );
    expect(refusals({ cookieName: 'a'.repeat(64) })).to.deep.equal([]);
    for (const cookieName of ['', 'a'.repeat(65), 'a b', 'a;', 'é', '=a', 'a\n']) {
      expect(refusals({ cookieName }), cookieName).to.deep.equal([
        { field: 'cookieName', message: 'must have 1 to 64 letters, digits, underscores and hyphens' },
      ]);
    }
  });

  it('accepts three values of loginConfirm', () => {
    for (const loginConfirm of ['never', 'unbound', 'always'] as const) {
      expect(authSettings({ ...GOOD, loginConfirm })).to.have.property('loginConfirm', loginConfirm);
    }
    for (const loginConfirm of ['', 'sometimes'] as never[]) {
      expect(refusals({ loginConfirm })).to.deep.equal([
        { field: 'loginConfirm', message: 'must be never, unbound or always' },
      ]);
    }
  });

  it('reports all invalid settings together', () => {
    const errors = refusals({ loginUrl: '/login', cookieName: '', signupFloorMs: -1 }) as { field: string }[];

    expect(errors.map(({ field }) => field)).to.deep.equal(['loginUrl', 'cookieName', 'signupFloorMs']);
  });
});
