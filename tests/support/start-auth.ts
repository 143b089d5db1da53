import { createAuthService } from '../../src/services/auth/create-auth-service.js';
import type { AuthEvent } from '../../src/services/auth/auth-event.js';
import type { Auth } from '../../src/services/auth/auth-types.js';
import type { AuthServiceConfig } from '../../src/services/auth/auth-settings.js';
import { accountAnswer, API_KEY, sessionAnswer, tokenAnswer } from './identity-answers.js';
import {
  appwriteError,
  startRecordingIdentityServer,
  type RecordedRequest,
  type RecordingIdentityServer,
} from './recording-identity-server.js';

/** An authentication service with its simulated identity backend and clock. */
export interface TestAuth {
  readonly server: RecordingIdentityServer;
  readonly service: Auth;
  readonly config: AuthServiceConfig;
  readonly events: AuthEvent[];
  /** The current time; set it to move in time. */
  now: Date;
  /** Returns the `st` parameter of the last requested link. */
  lastState(): string;
}

/**
 * Starts an authentication service with a recording identity server that knows the users `<id>@example.org`. Every link
 * can be used any number of times, to simulate the worst race conditions of a real backend. Every session is valid
 * until it is deleted.
 *
 * @param timeoutMs maximum response time; longer for tests with many concurrent requests
 */
export async function startAuth(
  overrides: Partial<AuthServiceConfig> = {},
  timeoutMs = 2_000,
): Promise<TestAuth> {
  const server = await startRecordingIdentityServer();
  const ended = new Set<string>();
  const events: AuthEvent[] = [];
  let sessions = 0;

  server.on('POST /account/tokens/magic-url', { status: 201, json: tokenAnswer() });
  server.on('POST /account/sessions/token', ({ body }) => {
    const { userId } = JSON.parse(body) as { userId: string };
    sessions += 1;
    return { status: 201, json: sessionAnswer(userId, `s${sessions}`) };
  });
  server.on('GET /account', (request) => {
    const { userId, sessionId } = presented(request);
    return ended.has(sessionId)
      ? appwriteError(401, 'general_unauthorized_scope')
      : { status: 200, json: accountAnswer(userId) };
  });
  server.on('GET /account/sessions', (request) => {
    const { userId, sessionId } = presented(request);
    const list = [sessionAnswer(userId, sessionId), sessionAnswer(userId, 'other', { current: false })];
    return { status: 200, json: { total: 2, sessions: list } };
  });
  server.on('DELETE /users/*/sessions/*', ({ url }) => {
    ended.add(url.split('/').at(-1) ?? '');
    return { status: 204 };
  });
  server.on('GET /users/*', ({ url }) => ({ status: 200, json: accountAnswer(url.split('/').at(-1)) }));
  server.on('DELETE /users/*/sessions', { status: 204 });
  server.on('DELETE /users/*', { status: 204 });
  server.on('GET /ping', { status: 200, text: 'Pong!', contentType: 'text/plain' });

  const auth = { server, events, now: new Date('2026-11-20T20:00:00.000Z') };
  const config: AuthServiceConfig = {
    appwrite: { endpoint: server.endpoint, projectId: 'study', apiKey: API_KEY, timeoutMs },
    loginUrl: 'https://app.example.org/login',
    domainValidation: { allowedDomainsRegexp: 'example\\.org' },
    signupFloorMs: 0,
    clock: () => auth.now,
    onEvent: (event) => events.push(event),
    ...overrides,
  };
  const lastState = (): string => {
    const request = server.requestsTo('POST /account/tokens/magic-url').at(-1);
    const { url } = JSON.parse(request?.body ?? '{}') as { url: string };
    return new URL(url).searchParams.get('st') ?? '';
  };
  return Object.assign(auth, { config, service: createAuthService(config), lastState });
}

/** Returns the session that a request presents, from a secret made by `sessionSecretOf`. */
function presented({ headers }: RecordedRequest): { userId: string; sessionId: string } {
  const text = Buffer.from(String(headers['x-appwrite-session']), 'base64').toString();
  const { id, secret } = JSON.parse(text) as { id: string; secret: string };
  const [sessionId = ''] = secret.split('-');
  return { userId: id, sessionId };
}
