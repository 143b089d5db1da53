import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNT_ROUTES } from './account-routes.js';
import { HourlyLimits } from './hourly-limits.js';
import {
  identifyCaller,
  KEY_SCOPES,
  type IdentityCaller,
  type IdentityKey,
  type KeyScope,
} from './identity-caller.js';
import { IdentityError } from './identity-error.js';
import type { IdentityContext, IdentityReply, IdentityRequest, IdentityRoute } from './identity-request.js';
import { IdentityStore } from './identity-store.js';
import type { IdentityMail } from './mailbox.js';
import { USER_ROUTES } from './user-routes.js';

export interface AppwriteSandboxOptions {
  /** The scopes of the key; all by default. */
  readonly keyScopes?: readonly KeyScope[] | undefined;
  /** Hosts that links may lead to; by default `localhost`, which includes the loopback addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly clock?: (() => Date) | undefined;
  /** One year by default, as in Appwrite. */
  readonly sessionLengthSeconds?: number | undefined;
  /** Any free port by default. */
  readonly port?: number | undefined;
  /** Called with each mail that would have been sent. */
  readonly onMail?: ((mail: IdentityMail) => void) | undefined;
}

/** An imitation of Appwrite that implements enough of its protocol for the real SDK. Its data is lost when it stops. */
export interface AppwriteSandbox {
  /** `http://127.0.0.1:PORT/v1` */
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: string;
  /** The mails, oldest first; of many, the newest 200. */
  readonly mails: readonly IdentityMail[];
  readonly store: IdentityStore;
  close(): Promise<void>;
}

const MOST_MAILS = 200;

/** Starts a sandbox without any accounts. */
export async function startAppwriteSandbox(options: AppwriteSandboxOptions = {}): Promise<AppwriteSandbox> {
  const { clock = () => new Date() } = options;
  const projectId = 'sandbox';
  const apiKey = `standard_${randomBytes(128).toString('hex')}`;
  const mails: IdentityMail[] = [];
  const store = new IdentityStore(clock, (options.sessionLengthSeconds ?? 31_536_000) * 1000);
  const api = new IdentityApi(
    {
      store,
      projectId,
      projectName: 'CRF Service (sandbox)',
      allowedHosts: options.allowedHosts ?? ['localhost'],
      now: clock,
      // Asynchronous: the response does not wait for the mail.
      deliver: (mail) =>
        setImmediate(() => {
          mails.push(mail);
          if (mails.length > MOST_MAILS) mails.shift();
          options.onMail?.(mail);
        }),
    },
    [{ secret: apiKey, scopes: options.keyScopes ?? KEY_SCOPES, isExpired: false }],
  );

  const server = http.createServer((request, response) => void api.serve(request, response));
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    projectId,
    apiKey,
    mails,
    store,
    close: async () => {
      const closed = once(server, 'close');
      server.closeAllConnections();
      server.close();
      await closed;
    },
  };
}

/** Checks requests in the same order as Appwrite. @see docs/protocol/appwrite.md 2.5 (source) */
class IdentityApi {
  readonly #limits: HourlyLimits;

  constructor(
    private readonly context: IdentityContext,
    private readonly keys: readonly IdentityKey[],
  ) {
    this.#limits = new HourlyLimits(context.now);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await readText(request); // rejects if the client disconnects early
      this.#reply(response, this.#answer(request, response, text));
    } catch (error) {
      const failure = error instanceof IdentityError ? error : new IdentityError('general_unknown');
      this.#reply(response, { status: failure.status, body: failure.toBody() });
    }
  }

  #answer(request: IncomingMessage, response: ServerResponse, text: string): IdentityReply {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const path = url.pathname.replace(/^\/v1/, '');
    const route = [...ACCOUNT_ROUTES, ...USER_ROUTES].find(
      ({ method, path: pattern }) => method === request.method && pattern.test(path),
    );
    if (route === undefined || !url.pathname.startsWith('/v1/'))
      throw new IdentityError('general_route_not_found');

    const caller = identifyCaller(request.headers, this.context.store, this.context.projectId, this.keys);
    checkScope(route, caller);
    if (!caller.hasKey && caller.user?.isEnabled === false) throw new IdentityError('user_blocked');
    const body = readJson(text);
    const settle = this.#limit(route, { caller, body, ip: request.socket.remoteAddress ?? '' }, response);
    const reply = route.answer(this.context, {
      caller,
      parameters: (route.path.exec(path) ?? []).slice(1).map(decodeURIComponent),
      body,
      query: url.searchParams,
    });
    settle();
    return reply;
  }

  /** Counts a request if its route has a limit. Returns a function that clears the counter after success. */
  #limit(
    { method, path, limit }: IdentityRoute,
    {
      caller,
      body,
      ip,
    }: { readonly caller: IdentityCaller; readonly body: IdentityRequest['body']; readonly ip: string },
    response: ServerResponse,
  ): () => void {
    if (limit === undefined) return () => undefined;
    const keys = limit
      .countedBy({ ip, body })
      .map((countedBy) => `${method} ${path.source} ${JSON.stringify(countedBy)}`);
    const { remaining, resetSeconds, isOver } = caller.hasKey
      ? this.#limits.look(keys, limit.perHour)
      : this.#limits.take(keys, limit.perHour);
    response.setHeader('X-RateLimit-Limit', String(limit.perHour));
    response.setHeader('X-RateLimit-Remaining', String(remaining));
    response.setHeader('X-RateLimit-Reset', String(resetSeconds));
    if (isOver && !caller.hasKey) throw new IdentityError('general_rate_limit_exceeded');
    return () => limit.isClearedBySuccess && this.#limits.forget(keys);
  }

  /** Sends a response. A session is also sent in headers, in clear text. @see docs/protocol/appwrite.md 2.3 (source) */
  #reply(response: ServerResponse, { status, body, sessionSecret }: IdentityReply): void {
    if (sessionSecret !== undefined) {
      const name = `a_session_${this.context.projectId}`;
      const attributes = 'path=/; httponly';
      response.setHeader('Set-Cookie', [
        `${name}=${encodeURIComponent(sessionSecret)}; ${attributes}; samesite=none`,
        `${name}_legacy=${encodeURIComponent(sessionSecret)}; ${attributes}`,
      ]);
      response.setHeader('X-Fallback-Cookies', JSON.stringify({ [name]: sessionSecret }));
    }
    response.statusCode = status ?? (body === undefined ? 204 : 200);
    if (body === undefined) return void response.end();
    const isText = typeof body === 'string';
    response.setHeader(
      'Content-Type',
      isText ? 'text/plain; charset=UTF-8' : 'application/json; charset=UTF-8',
    );
    response.end(isText ? body : JSON.stringify(body));
  }
}

function checkScope({ scopes, isForKeysOnly }: IdentityRoute, caller: IdentityCaller): void {
  const isAllowed = scopes.length === 0 || scopes.some((scope) => caller.scopes.includes(scope));
  if (isAllowed && (caller.hasKey || isForKeysOnly !== true)) return;
  const role = caller.hasKey ? 'applications' : caller.session === undefined ? 'guests' : 'users';
  throw new IdentityError(
    'general_unauthorized_scope',
    `User (role: ${role}) missing scopes (${JSON.stringify(scopes)})`,
  );
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws {IdentityError} the body is not a JSON object */
function readJson(text: string): Readonly<Record<string, unknown>> {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch {
    // Falls through to the same error.
  }
  throw new IdentityError('general_argument_invalid', 'Invalid JSON body.');
}
