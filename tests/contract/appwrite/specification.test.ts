import { expect } from 'chai';
import { AppwriteGateway } from '../../../src/gateways/appwrite/appwrite-gateway.js';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import { IDENTITY_ERROR_TYPES, IdentityError } from '../../../src/sandbox/appwrite/identity-error.js';
import {
  appwriteError,
  startRecordingIdentityServer,
  type RecordedRequest,
} from '../../support/recording-identity-server.js';
import { signIn } from './clients.js';
import {
  ENDPOINTS,
  ERROR_STATUSES,
  MODELS,
  type Endpoint,
  type MemberType,
  type Model,
} from './specification.js';

/** The kinds of callers: with the sandbox's key, with the session of a person, or with neither. */
type Credentials = 'key' | 'session' | 'nothing';

/** The callers that lack a scope. Guests also have `sessions.write`. */
const STRANGERS: Readonly<Record<Endpoint['scope'], readonly Credentials[]>> = {
  'sessions.write': [],
  account: ['key', 'nothing'],
  'users.read': ['session', 'nothing'],
  'users.write': ['session', 'nothing'],
};

describe("The Appwrite sandbox, compared with Appwrite's specification", () => {
  let sandbox: AppwriteSandbox;
  let person: { userId: string; sessionId: string; secret: string };

  beforeEach(async () => {
    sandbox = await startAppwriteSandbox();
    person = await signIn(sandbox, 'ada@example.org');
  });
  afterEach(() => sandbox.close());

  /** Makes a call as the endpoint requires it, for the person who is signed in. */
  async function goodValues({ path }: Endpoint): Promise<Record<string, unknown>> {
    if (path === '/account/tokens/magic-url') {
      return { userId: 'unique()', email: 'ada@example.org', url: 'http://localhost/login', phrase: true };
    }
    if (path === '/account/sessions/token') {
      const link = await call(ENDPOINTS[0], { userId: 'unique()', email: 'ada@example.org' });
      const { userId, secret } = (await link.json()) as { userId: string; secret: string };
      return { userId, secret };
    }
    return {
      userId: person.userId,
      sessionId: person.sessionId,
      status: true,
      total: 'false',
    };
  }

  async function call(
    endpoint: Endpoint | undefined,
    values: Readonly<Record<string, unknown>>,
    credentials: Credentials = endpoint?.scope === 'account' ? 'session' : 'key',
  ): Promise<Response> {
    if (endpoint === undefined) throw new Error('No such endpoint.');
    const url = new URL(
      sandbox.endpoint + endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name])),
    );
    const body: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(endpoint.parameters)) {
      if (values[name] === undefined) continue;
      if (parameter.in === 'body') body[name] = values[name];
      else if (parameter.in === 'query') url.searchParams.set(name, textOf(values[name]));
    }
    return fetch(url, {
      method: endpoint.method,
      headers: {
        'x-appwrite-project': sandbox.projectId,
        'content-type': 'application/json',
        ...(credentials === 'key' && { 'x-appwrite-key': sandbox.apiKey }),
        ...(credentials === 'session' && { 'x-appwrite-session': person.secret }),
      },
      ...(endpoint.method !== 'GET' && { body: JSON.stringify(body) }),
    });
  }

  const errorOf = async (response: Response): Promise<string> => {
    const { code, type } = (await response.json()) as { code: number; type: string };
    return `${response.status} ${code} ${type}`;
  };

  for (const endpoint of ENDPOINTS) {
    const { method, path, parameters, status, model, scope } = endpoint;
    const required = Object.keys(parameters).filter(
      (name) => parameters[name]?.in === 'body' && parameters[name].isRequired,
    );

    describe(`${method} ${path}`, () => {
      it(`answers ${status} ${model === undefined ? 'without a body' : `with exactly the members of a ${model}`}`, async () => {
        const response = await call(endpoint, await goodValues(endpoint));

        expect(response.status).to.equal(status);
        const text = await response.text();
        if (model === undefined) expect(text).to.equal('');
        else expectModel(JSON.parse(text) as Record<string, unknown>, MODELS[model]);
      });

      for (const stranger of STRANGERS[scope]) {
        it(`refuses a caller with ${stranger}, who lacks the scope ${scope}`, async () => {
          const response = await call(endpoint, await goodValues(endpoint), stranger);

          expect(await errorOf(response)).to.equal('401 401 general_unauthorized_scope');
        });
      }

      for (const name of required) {
        it(`refuses a call without ${name}`, async () => {
          const response = await call(endpoint, { ...(await goodValues(endpoint)), [name]: undefined });

          expect(await errorOf(response)).to.equal('400 400 general_argument_invalid');
        });
      }

      for (const [name, { in: place, type }] of Object.entries(parameters)) {
        if (place !== 'body') continue;
        it(`refuses ${name} that is not a ${type}`, async () => {
          const response = await call(endpoint, { ...(await goodValues(endpoint)), [name]: [1] });

          expect(await errorOf(response)).to.equal('400 400 general_argument_invalid');
        });
      }

      for (const name of Object.keys(parameters).filter((found) => parameters[found]?.in === 'path')) {
        it(`reports an unknown ${name} as not found`, async () => {
          const response = await call(endpoint, { ...(await goodValues(endpoint)), [name]: 'nobody' });

          const type = name === 'userId' ? 'user_not_found' : 'user_session_not_found';
          expect(await errorOf(response)).to.equal(`404 404 ${type}`);
        });
      }
    });
  }

  it('gives every error type its published status', () => {
    const statuses = Object.fromEntries(
      IDENTITY_ERROR_TYPES.map((type) => [type, new IdentityError(type).status]),
    );

    expect(statuses).to.deep.equal(ERROR_STATUSES);
  });
});

describe("AppwriteGateway, compared with Appwrite's specification", () => {
  it('calls exactly these endpoints, with known and all required parameters', async () => {
    const server = await startRecordingIdentityServer();
    for (const { method, path } of ENDPOINTS) {
      server.on(`${method} ${path.replace(/\{\w+\}/g, '*')}`, appwriteError(418, 'recorded'));
    }
    // The calls that ask for the scopes are made at once, and all of them only while none fails.
    server.on('POST /account/sessions/token', appwriteError(401, 'user_invalid_token'));
    server.on('GET /users', { status: 200, json: { total: 0, users: [] } });
    const gateway = new AppwriteGateway({ endpoint: server.endpoint, projectId: 'study', apiKey: 'key' });
    const session = Buffer.from(JSON.stringify({ id: 'ada', secret: 'ab'.repeat(128) })).toString('base64');
    const request = { userId: 'ada', email: 'ada@example.org', url: 'https://example.org/login' };

    await Promise.allSettled([
      gateway.createMagicUrlToken(request),
      gateway.createSession('ada', 'secret'),
      gateway.getAccount(session),
      gateway.listSessions(session),
      gateway.deleteUserSession('ada', 'ab'.repeat(10)),
      gateway.deleteUserSessions('ada'),
      gateway.deleteUser('ada'),
      gateway.getUser('ada'),
      gateway.probeScopes(),
    ]);
    await server.stop();

    const called = server.requests.map(readRequest);
    expect([...new Set(called.map(({ endpoint }) => endpoint))].sort()).to.deep.equal(
      ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(called.filter(({ unknown, missing }) => unknown.length + missing.length > 0)).to.deep.equal([]);
    const asPerson = server.requests.filter(({ headers }) => headers['x-appwrite-key'] === undefined);
    const limits = asPerson.map((request) => readRequest(request).rateLimit);
    expect(limits, 'calls without the key, which one person could use up for all').to.deep.equal([0, 0]);
  });
});

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The endpoint of a request, its unknown parameters, and the required parameters that are missing. */
function readRequest({ method, url, body }: RecordedRequest): {
  endpoint: string;
  rateLimit: number | undefined;
  unknown: string[];
  missing: string[];
} {
  const { pathname, searchParams } = new URL(url, 'http://sandbox');
  const found = ENDPOINTS.find(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^/v1${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const sent = [
    ...Object.keys(body === '' ? {} : (JSON.parse(body) as object)),
    ...[...searchParams.keys()].map((name) => name.replace(/\[\d+\]$/, '')),
  ];
  const parameters = Object.entries(found?.parameters ?? {});
  return {
    endpoint: `${method} ${found?.path ?? pathname}`,
    rateLimit: found?.rateLimit,
    unknown: sent.filter((name) => parameters.every(([known]) => known !== name)),
    missing: parameters
      .filter(([name, { in: place, isRequired }]) => place === 'body' && isRequired && !sent.includes(name))
      .map(([name]) => name),
  };
}

function expectModel(answer: Readonly<Record<string, unknown>>, { required, optional }: Model): void {
  const known: Readonly<Record<string, MemberType>> = { ...required, ...optional };
  const wrong = Object.entries(answer)
    .filter(([name]) => known[name] !== undefined)
    .filter(([name, value]) => !(name in optional && value === null) && !isOfType(value, known[name]));
  expect({
    missing: Object.keys(required).filter((name) => !(name in answer)),
    unknown: Object.keys(answer).filter((name) => known[name] === undefined),
    wrong: wrong.map(([name]) => name),
  }).to.deep.equal({ missing: [], unknown: [], wrong: [] });
}

function isOfType(value: unknown, type: MemberType | undefined): boolean {
  const isObject = (found: unknown): boolean =>
    typeof found === 'object' && found !== null && !Array.isArray(found);
  if (type === 'date') return typeof value === 'string' && DATE.test(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return isObject(value);
  if (type === 'objects') return Array.isArray(value) && value.every(isObject);
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === type;
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
