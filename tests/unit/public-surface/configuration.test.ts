import { expect } from 'chai';
import express from 'express';
import type { CreateAppOptions } from '../../../src/app/create-app-options.js';
import * as client from '../../../src/client.js';
import type { CrfClientConfig } from '../../../src/client/create-crf-client.js';
import type { ConfigurationError } from '../../../src/domain/errors/operator-errors.js';
import * as hooks from '../../../src/hooks.js';
import type { HttpServerOptions } from '../../../src/http/http-server.js';
import * as main from '../../../src/index.js';
import type { ServiceClientConfig } from '../../../src/client/service/create-service-client.js';
import type { AuthServiceConfig } from '../../../src/services/auth/auth-settings.js';
import * as sveltekit from '../../../src/sveltekit.js';
import * as validators from '../../../src/validators.js';
import { printed } from '../../support/printed.js';

interface Configured {
  /** Calls the function, or the constructor, with options of any type. */
  readonly call: (options: unknown) => unknown;
  /** Options it accepts. */
  readonly right: object;
  /** Every option with a value it must refuse. */
  readonly wrong: Readonly<Record<string, unknown>>;
}

const capture = client.createCrfClient({ url: 'https://redcap.example.org/api/', token: 'A'.repeat(32) });
const signIn: AuthServiceConfig = {
  appwrite: { endpoint: 'https://identity.example.org/v1', projectId: 'study', apiKey: 'k'.repeat(40) },
  loginUrl: 'https://crf.example.org/login',
  domainValidation: { allowedDomainsRegexp: 'any' },
};
const auth = main.createAuthService(signIn);
const NO_POLICIES: main.PolicyFiles = {
  set: { version: 1, policies: {}, bindings: [] },
  lock: { version: 1, policies: {} },
};
const TEXT = 'SENTINEL';

/** The functions that take options when something is made. `satisfies` makes the compiler miss no option. */
const CONFIGURED: Readonly<Record<string, Configured>> = {
  createCrfClient: {
    call: (options) => client.createCrfClient(options as never),
    right: { url: 'https://redcap.example.org/api/', token: 'A'.repeat(32) },
    wrong: {
      url: TEXT,
      token: TEXT,
      timeouts: TEXT,
      resilience: { retries: 1 },
      agent: TEXT,
      maxAnswerBytes: TEXT,
      importEncoding: TEXT,
      shared: {},
      observer: { began: TEXT },
      clock: { now: () => 0 },
    } satisfies Record<keyof CrfClientConfig, unknown>,
  },
  createServiceClient: {
    call: (options) => client.createServiceClient(options as never),
    right: { baseUrl: 'https://crf.example.org' },
    wrong: {
      baseUrl: TEXT,
      project: 'Not a name',
      apiKey: `${TEXT}\n`,
      fetch: TEXT,
      timeoutMs: TEXT,
      maxRetries: TEXT,
      maxRetryAfterMs: TEXT,
    } satisfies Record<keyof ServiceClientConfig, unknown>,
  },
  createApp: {
    call: (options) => main.createApp(options as never),
    right: { capture },
    wrong: {
      capture: {},
      access: { sessionScope: [] },
      auth: { service: auth, trustedOrigins: [], trustedOrigin: TEXT },
      users: { userSource: TEXT },
      imports: { chunkRow: 1 },
      files: { limit: 1 },
      timeZone: TEXT,
      logger: {},
      audit: {},
      policy: {},
      pseudonymKey: TEXT,
      requests: {},
      docs: TEXT,
      apiDoor: TEXT,
      trustProxy: TEXT,
      limits: { callPerMinute: 1 },
      shared: { idempotency: {}, ping: () => null },
      cursorKey: Buffer.alloc(1),
      isOverloaded: TEXT,
      sandbox: { mailbox: {} },
      study: { smallCells: 1 },
      redcapUrl: TEXT,
      helpUrl: TEXT,
    } satisfies Record<keyof CreateAppOptions, unknown>,
  },
  createHttpServer: {
    call: (options) => main.createHttpServer(express(), options as never),
    right: {},
    wrong: {
      headersTimeoutMs: TEXT,
      requestTimeoutMs: TEXT,
      idleTimeoutMs: TEXT,
      keepAliveTimeoutMs: TEXT,
      maxConnections: TEXT,
      maxConnectionsPerNetwork: TEXT,
    } satisfies Record<keyof HttpServerOptions, unknown>,
  },
  createAuthService: {
    call: (options) => main.createAuthService(options as never),
    right: signIn,
    wrong: {
      appwrite: { ...signIn.appwrite, timeout: 1 },
      loginUrl: TEXT,
      domainValidation: { ...signIn.domainValidation, allowedDomains: TEXT },
      resolveUserId: TEXT,
      onAccountDeleted: TEXT,
      loginConfirm: TEXT,
      showAllowedDomains: TEXT,
      signedLinksOnly: TEXT,
      secureCookies: TEXT,
      cookieName: 7,
      linkMaxAgeSeconds: TEXT,
      sessionMaxAgeSeconds: TEXT,
      sessionIdleSeconds: TEXT,
      recentSignInSeconds: TEXT,
      sessionCheckSeconds: TEXT,
      signupFloorMs: TEXT,
      stores: TEXT,
      pseudonymKey: TEXT,
      clock: TEXT,
      wait: TEXT,
      onEvent: TEXT,
    } satisfies Record<keyof AuthServiceConfig, unknown>,
  },
  createAuthRouter: {
    call: (options) => hooks.createAuthRouter(auth, options as never),
    right: { origin: 'https://app.example.org' },
    wrong: { origin: TEXT, afterLogin: TEXT, limitStores: TEXT } satisfies Record<
      keyof hooks.AuthRouterOptions,
      unknown
    >,
  },
  sessionHook: {
    call: (options) => hooks.sessionHook(auth, options as never),
    right: {},
    wrong: { scopes: TEXT } satisfies Record<keyof hooks.SessionHookOptions, unknown>,
  },
  CallerViews: {
    call: (options) => new main.CallerViews(capture, NO_POLICIES, 'secret', options as never),
    right: {},
    wrong: { pseudonymKey: TEXT, clock: TEXT } satisfies Record<keyof main.CallerViewsOptions, unknown>,
  },
  AuditTrail: {
    call: (options) => new main.AuditTrail(new main.AuditFile('audit.log'), options as never),
    right: {},
    wrong: { clock: TEXT, onFailure: TEXT, onResume: TEXT, project: 3 } satisfies Record<
      keyof main.AuditTrailOptions,
      unknown
    >,
  },
};

/** What is called once with data, or has no options. Every other public function must be in the table. */
const WITHOUT_OPTIONS: ReadonlySet<string> = new Set([
  'AuditFile',
  'Logic',
  'FieldLogic',
  'where',
  'createApiKey',
  'createRedcapKey',
  'hashApiKey',
  'loadPolicyFiles',
  'beginShutdown',
  'collectStreamBuffers',
  'currentSession',
  'problemHandler',
  'requireScope',
  'requireSession',
  'sessionHandle',
  'problemOf',
  'checkRequestBody',
  // Takes the part of the configuration of `createAuthService` that it needs, so the rest is no mistake.
  'validateSignupEmail',
  'validateMagicUrlLogin',
  'validateUserId',
  'ApiToken',
  'ApiUrl',
  'Email',
  'EventName',
  'FieldName',
  'InstrumentName',
  'RecordId',
  'UserId',
]);

function problemsOf(call: () => unknown): Readonly<Record<string, string>> {
  try {
    call();
  } catch (error) {
    expect(error).to.have.property('code', 'invalid_configuration');
    expect(printed(error)).to.not.include(TEXT);
    const { errors } = error as ConfigurationError;
    return Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  }
  return {};
}

describe('The public functions that make something', () => {
  it('are all in this table', () => {
    const entries: readonly object[] = [main, client, hooks, sveltekit, validators];
    const functions = entries
      .flatMap((entry) => Object.entries(entry))
      .filter(([name, value]) => typeof value === 'function' && !/Error$|^is[A-Z]/.test(name))
      .map(([name]) => name);

    expect([...Object.keys(CONFIGURED), ...WITHOUT_OPTIONS]).to.have.members([...new Set(functions)]);
  });

  for (const [name, { call, right, wrong }] of Object.entries(CONFIGURED)) {
    it(`${name} accepts options of the documented types, also undefined ones`, () => {
      const omitted = Object.fromEntries(Object.keys(wrong).map((option) => [option, undefined]));
      expect(problemsOf(() => call({ ...omitted, ...right }))).to.deep.equal({});
    });

    it(`${name} refuses an option that does not exist, and says which was meant`, () => {
      const [option = ''] = Object.keys(wrong);
      const misspelt = `${option}x`;
      expect(problemsOf(() => call({ ...right, noSuchThing: 1, [misspelt]: 1 }))).to.deep.equal({
        noSuchThing: 'is not an option',
        [misspelt]: `is not an option; did you mean ${option}?`,
      });
    });

    it(`${name} refuses each option of another type, by its name and rule`, () => {
      for (const [option, value] of Object.entries(wrong)) {
        const problems = problemsOf(() => call({ ...right, [option]: value }));
        const [[field = '', message = ''] = []] = Object.entries(problems);
        expect(Object.keys(problems), option).to.have.lengthOf(1);
        expect(field.split('.')[0], option).to.equal(option);
        expect(message).to.match(/^(must|is not an option|has|is) ?/);
      }
    });

    for (const options of [null, TEXT, 7, []]) {
      it(`${name} refuses ${JSON.stringify(options)} in place of its options`, () => {
        expect(problemsOf(() => call(options))).to.include({ options: 'must be an object' });
      });
    }
  }
});
