import { expect } from 'chai';
import fc from 'fast-check';
import { loadCommandSettings, loadSettings, type Settings } from '../../../../src/server/config/settings.js';
import { ConfigurationError } from '../../../../src/domain/errors/operator-errors.js';

const CAPTURE = {
  CAPTURE_API_URL: 'https://redcap.example.org/api/',
  CAPTURE_API_TOKEN: '0123456789ABCDEF0123456789ABCDEF',
};
const APPWRITE = {
  APPWRITE_ENDPOINT: 'https://cloud.example.org/v1',
  APPWRITE_PROJECT_ID: 'project',
  APPWRITE_API_KEY: 'standard_key',
  LOGIN_URL: 'https://crf.example.org/login',
  ALLOWED_DOMAINS_REGEXP: 'example\\.org',
};
const API_KEY = `portal:${'a'.repeat(64)}:records:read`;
const LOOPBACK = ['127.0.0.1', '127.9.9.9', 'localhost', '::1'];

/** All combinations of the settings that decide who may reach a project, each otherwise valid. */
const settings = fc.record({
  mode: fc.constantFrom(undefined, 'development', 'test', 'production', ' production '),
  proxies: fc.constantFrom(undefined, '', '0', '00', '1', '99', 'loopback', '10.0.0.0/8, ::1'),
  host: fc.constantFrom(undefined, ...LOOPBACK, '0.0.0.0', '::', '192.0.2.7', 'crf.example.org'),
  keys: fc.constantFrom(undefined, '', API_KEY),
  hasSignIn: fc.boolean(),
  anonymous: fc.constantFrom(undefined, ' ', 'true', 'false'),
});
type Combination = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

function environmentOf({ mode, proxies, host, keys, hasSignIn, anonymous }: Combination) {
  return {
    ...CAPTURE,
    NODE_ENV: mode,
    TRUST_PROXY: proxies,
    HOST: host,
    API_KEYS: keys,
    ALLOW_ANONYMOUS: anonymous,
    ...(hasSignIn ? APPWRITE : {}),
  };
}

/** Whether callers need no credential although no setting says so. */
function isOpenByDefault({ keys, hasSignIn, anonymous }: Combination): boolean {
  return !keys && !hasSignIn && anonymous !== 'true' && anonymous !== 'false';
}

/** Whether anyone other than the users of this machine may reach the service. */
function isReachable({ mode, proxies, host }: Combination): boolean {
  const isProxied = proxies !== undefined && !['', '0', '00'].includes(proxies);
  return mode?.trim() === 'production' || isProxied || (host !== undefined && !LOOPBACK.includes(host));
}

function load(combination: Combination): Settings | ConfigurationError {
  try {
    return loadSettings(environmentOf(combination));
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}

describe('Access to a project without a credential', () => {
  it('prevents the start only if others can reach the service and no setting allows it', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        const loaded = load(combination);

        expect(loaded instanceof ConfigurationError).to.equal(
          isOpenByDefault(combination) && isReachable(combination),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('names the three remedies when it prevents the start', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        const loaded = load(combination);

        if (loaded instanceof ConfigurationError)
          expect(loaded.message)
            .to.match(/API_KEYS/)
            .and.match(/APPWRITE_\*/)
            .and.match(/ALLOW_ANONYMOUS=true/);
      }),
      { numRuns: 2000 },
    );
  });

  it('is limited to this machine unless ALLOW_ANONYMOUS is true, and is announced in one warning', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        const loaded = load(combination);
        if (loaded instanceof ConfigurationError) return;

        const { warnings } = loaded;
        const { access } = loaded.app;
        expect(access.allowAnonymous).to.equal(
          isOpenByDefault(combination) || combination.anonymous === 'true',
        );
        expect(access.isLoopbackOnly).to.equal(isOpenByDefault(combination));
        expect(warnings).to.have.length(access.allowAnonymous ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not matter to a command, which does not listen', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        expect(loadCommandSettings(environmentOf(combination)).capture).to.not.equal(undefined);
      }),
    );
  });
});
