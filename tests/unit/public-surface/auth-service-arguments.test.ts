import { expect } from 'chai';
import { CrfError } from '../../../src/domain/errors/crf-error.js';
import type { Auth } from '../../../src/services/auth/auth-types.js';
import { createAuthService } from '../../../src/services/auth/create-auth-service.js';

// No server has this address. What is refused as a configuration mistake was not sent.
const auth = createAuthService({
  appwrite: { endpoint: 'http://127.0.0.1:1/v1', projectId: 'study', apiKey: 'k'.repeat(40) },
  loginUrl: 'http://localhost/login',
  domainValidation: { allowedDomainsRegexp: 'any' },
  signupFloorMs: 0,
});
const cookies = { get: () => undefined, set: () => undefined, delete: () => undefined };

type Called = Exclude<keyof Auth, 'confirmEndedSessions' | 'checkReadiness'>;

/** Right arguments, without options. The compiler misses no method. */
const METHODS: { readonly [Name in Called]: Parameters<Auth[Name]> } = {
  signupWithEmail: ['ada@example.org', cookies],
  login: ['ada', 'secret', cookies],
  checkLink: ['ada', 'secret', cookies],
  pendingLink: [cookies],
  showCode: ['ada', 'secret', cookies],
  loginWithCode: ['WDJB-MJHT', cookies],
  logout: ['ada', cookies],
  deleteAccount: ['ada', cookies],
  isSignedIn: [cookies],
  currentUser: [cookies],
  listSessions: [cookies],
  personalData: [cookies],
  endSession: ['session', cookies],
  canonicalAddress: ['ada@example.org'],
  pseudonymOf: ['ada'],
};
const WITH_OPTIONS: readonly string[] = [
  'signupWithEmail',
  'login',
  'checkLink',
  'showCode',
  'loginWithCode',
];

async function failureOf(method: string, ...given: readonly unknown[]): Promise<unknown> {
  try {
    await Reflect.apply(Reflect.get(auth, method) as (...given: unknown[]) => unknown, auth, given);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('The arguments of the authentication service', () => {
  it('are checked for every method that there is', () => {
    const names = Object.keys(auth).filter(
      (name) => !['confirmEndedSessions', 'checkReadiness'].includes(name),
    );

    expect(Object.keys(METHODS)).to.have.members(names);
  });

  for (const [method, right] of Object.entries<readonly unknown[]>(METHODS)) {
    it(`${method} never answers wrong ones with an error of the language`, async () => {
      const wrong = [undefined, null, 'SENTINEL', 7, [], {}, Symbol('SENTINEL')];
      for (const value of wrong) {
        for (const index of [0, 1, 2, 3]) {
          const given = Object.assign([...right], { [index]: value });
          const failure = await failureOf(method, ...given);
          if (failure !== undefined) expect(failure).to.be.instanceOf(CrfError);
        }
      }
      expect(await failureOf(method)).to.not.be.instanceOf(TypeError);
    });

    const at = right.indexOf(cookies);
    if (at >= 0) {
      it(`${method} refuses cookies without the methods of cookies`, async () => {
        const failure = await failureOf(method, ...right.slice(0, at), { get: () => undefined });

        expect(failure).to.have.property('code', 'invalid_configuration');
        expect(failure)
          .to.have.property('message')
          .that.includes('cookies must have the methods get, set, delete');
      });
    }

    if (WITH_OPTIONS.includes(method)) {
      it(`${method} refuses an option that does not exist, which would be ignored`, async () => {
        const failure = await failureOf(method, ...right, { userAgnt: 'SENTINEL' });

        expect(failure).to.have.property('code', 'invalid_configuration');
        expect(failure)
          .to.have.property('message')
          .that.includes('userAgnt is not an option; did you mean userAgent?');
      });
    }
  }

  it('LOGIN-11: refuse a confirmation that is not true or false, such as the text of a form', async () => {
    const failure = await failureOf('login', 'ada', 'secret', cookies, { isConfirmed: 'false' });

    expect(failure).to.have.property('message').that.includes('isConfirmed must be true or false');
  });

  it("never blame the visitor's link on the host", async () => {
    for (const given of [
      [{}, [], cookies],
      ['ada', 'secret', cookies, { st: ['a', 'b'] }],
      ['ada', 'secret', cookies, { st: null, userAgent: null }],
    ]) {
      expect(await failureOf('login', ...given)).to.not.have.property('code', 'invalid_configuration');
    }
  });
});
