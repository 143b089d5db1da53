import { expect } from 'chai';
import { createAuthService } from '../../../../src/services/auth/create-auth-service.js';
import type { AuthServiceConfig } from '../../../../src/services/auth/auth-settings.js';
import { MemoryKeyValueStore } from '../../../../src/services/auth/key-value-store.js';
import { printed } from '../../../support/printed.js';
import { startAuth } from '../../../support/start-auth.js';
import { appwriteError } from '../../../support/recording-identity-server.js';
import { rejection } from '../../../support/rejection.js';

const GOOD: AuthServiceConfig = {
  appwrite: { endpoint: 'https://id.example.org/v1', projectId: 'study', apiKey: 'SENTINEL-key' },
  loginUrl: 'https://app.example.org/login',
  domainValidation: { allowedDomainsRegexp: 'example\\.org' },
};

describe('createAuthService', () => {
  it('needs only the four documented settings', () => {
    expect(createAuthService(GOOD)).to.respondTo('signupWithEmail');
  });

  for (const allowedDomainsRegexp of [
    undefined,
    '',
    ' ',
    '(SENTINEL',
    /SENTINEL/g,
    '(?!SENTINEL)s',
  ] as string[]) {
    it(`MAIL-07: refuses to start with the allow-list ${String(allowedDomainsRegexp)}`, () => {
      const error = thrown({ ...GOOD, domainValidation: { allowedDomainsRegexp } });

      expect(error).to.have.property('code', 'invalid_configuration');
      expect(error.message).to.include('allowedDomainsRegexp').and.not.include('SENTINEL');
    });
  }

  it('MAIL-07: refuses to start without domainValidation', () => {
    const { domainValidation: _left, ...rest } = GOOD;

    expect(thrown(rest as AuthServiceConfig).message).to.include('allowedDomainsRegexp');
  });

  const wrong: [string, Partial<AuthServiceConfig>][] = [
    ['loginUrl', { loginUrl: 'http://app.example.org/login' }],
    ['loginUrl', { loginUrl: '/login' }],
    ['loginUrl', { loginUrl: 'https://SENTINEL:x@app.example.org/login' }],
    ['loginUrl', { loginUrl: 'https://app.example.org/login#SENTINEL' }],
    ['loginUrl', { loginUrl: 'javascript:SENTINEL' }],
    ['secureCookies', { secureCookies: false }],
    ['cookieName', { cookieName: 'a;b' }],
    ['loginConfirm', { loginConfirm: 'sometimes' as 'never' }],
    ['linkMaxAgeSeconds', { linkMaxAgeSeconds: 3_601 }],
    ['linkMaxAgeSeconds', { linkMaxAgeSeconds: 0 }],
    ['sessionMaxAgeSeconds', { sessionMaxAgeSeconds: 1.5 }],
    ['sessionIdleSeconds', { sessionIdleSeconds: 299 }],
    ['recentSignInSeconds', { recentSignInSeconds: Number.NaN }],
    ['sessionCheckSeconds', { sessionCheckSeconds: 61 }],
    ['signupFloorMs', { signupFloorMs: -1 }],
    ['linkMaxAgeSeconds', { linkMaxAgeSeconds: 29 }],
    ['resolveUserId', { resolveUserId: 'SENTINEL' as never }],
    ['signedLinksOnly', { signedLinksOnly: 'SENTINEL' as never }],
    ['secureCookies', { secureCookies: 'SENTINEL' as never }],
    ['stores', { stores: 'SENTINEL' as never }],
    ['clock', { clock: 'SENTINEL' as never }],
    ['onEvent', { onEvent: 'SENTINEL' as never }],
    ['appwrite.endpoint', { appwrite: { ...GOOD.appwrite, endpoint: 'http://SENTINEL.example.org/v1' } }],
    ['appwrite.apiKey', { appwrite: { ...GOOD.appwrite, apiKey: 'SENTINEL key' } }],
  ];
  for (const [setting, overrides] of wrong) {
    it(`refuses ${JSON.stringify(overrides)}, naming ${setting} and not its value`, () => {
      const error = thrown({ ...GOOD, ...overrides });

      expect(error).to.have.property('code', 'invalid_configuration');
      expect(error.message).to.include(setting).and.not.include('SENTINEL');
    });
  }

  it('creates one store for each kind of state, under a name that all versions share', () => {
    const kinds: string[] = [];

    createAuthService({ ...GOOD, stores: (kind) => (kinds.push(kind), new MemoryKeyValueStore()) });

    expect(kinds).to.have.members([
      'link-use',
      'link-session',
      'link-issue',
      'sign-in',
      'link-request',
      'link-code',
      'link-code-tries',
      'session-check',
      'ended-session',
      'account-deletion',
    ]);
  });

  it('reveals no key when it is inspected or serialized', () => {
    const auth = createAuthService(GOOD);

    const shown = printed(auth) + JSON.stringify(auth);
    expect(shown).to.not.match(/SENTINEL|Buffer|Uint8Array/);
  });

  it('is ready if the identity backend answers, and distinguishes an outage from a refusal', async () => {
    const { service, server } = await startAuth();

    await service.checkReadiness();
    server.once('GET /ping', 'reset');
    expect(await rejection(service.checkReadiness())).to.have.property('code', 'identity_unavailable');
    server.once('GET /ping', appwriteError(401, 'user_unauthorized'));
    expect(await rejection(service.checkReadiness())).to.have.property('code', 'identity_refused');

    await server.stop();
  });
});

function thrown(config: AuthServiceConfig): Error {
  try {
    createAuthService(config);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Expected an Error.');
}
