import { expect } from 'chai';
import fc from 'fast-check';
import { loadCommandSettings, loadSettings, type Settings } from '../../../src/config/settings.js';
import { ConfigurationError } from '../../../src/errors/operator-errors.js';

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

/** Every way to set what decides who may reach a project; each combination is valid but for that. */
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

/** Whether nobody is asked for a credential, although nobody said so. */
function isOpenByDefault({ keys, hasSignIn, anonymous }: Combination): boolean {
  return !keys && !hasSignIn && anonymous !== 'true' && anonymous !== 'false';
}

/** Whether anybody but the users of this machine may reach the service. */
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

describe('Who may reach a project without a credential', () => {
  it('is refused at start where others reach the service and nobody said so, and nowhere else', () => {
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

  it('names the three remedies', () => {
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

  it('is this machine alone, unless somebody said that it is everybody; and is said in one line', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        const loaded = load(combination);
        if (loaded instanceof ConfigurationError) return;

        const { access, warnings } = loaded;
        expect(access.isOpen).to.equal(isOpenByDefault(combination) || combination.anonymous === 'true');
        expect(access.isLoopbackOnly).to.equal(isOpenByDefault(combination));
        expect(warnings).to.have.length(access.isOpen ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('is no matter of a command, which listens on nothing', () => {
    fc.assert(
      fc.property(settings, (combination) => {
        expect(loadCommandSettings(environmentOf(combination)).capture).to.not.equal(undefined);
      }),
    );
  });
});
