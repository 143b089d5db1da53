import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ACCOUNT_ROUTES } from './account-routes.js';
import { identifyCaller, type IdentityCaller } from './identity-caller.js';
import { IdentityError } from './identity-error.js';
import type { IdentityContext, IdentityReply, IdentityRoute } from './identity-request.js';
import { IdentityStore } from './identity-store.js';
import type { IdentityMail } from './mailbox.js';
import { USER_ROUTES } from './user-routes.js';

export interface AppwriteSandboxOptions {
  readonly clock?: (() => Date) | undefined;
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
  const store = new IdentityStore(clock);
  const api = new IdentityApi({
    ...{ store, projectId, apiKey },
    projectName: 'CRF Service (sandbox)',
    now: clock,
    // Asynchronous: the response does not wait for the mail.
    deliver: (mail) =>
      setImmediate(() => {
        mails.push(mail);
        if (mails.length > MOST_MAILS) mails.shift();
        options.onMail?.(mail);
      }),
  });

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
  constructor(private readonly context: IdentityContext) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const text = await readText(request); // rejects if the client disconnects early
      this.#reply(response, this.#answer(request, text));
    } catch (error) {
      const failure = error instanceof IdentityError ? error : new IdentityError('general_unknown');
      this.#reply(response, { status: failure.status, body: failure.toBody() });
    }
  }

  #answer(request: IncomingMessage, text: string): IdentityReply {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const path = url.pathname.replace(/^\/v1/, '');
    const route = [...ACCOUNT_ROUTES, ...USER_ROUTES].find(
      ({ method, path: pattern }) => method === request.method && pattern.test(path),
    );
    if (route === undefined || !url.pathname.startsWith('/v1/'))
      throw new IdentityError('general_route_not_found');

    const caller = identifyCaller(request.headers, this.context);
    checkScope(route, caller);
    if (caller.user?.isEnabled === false && !caller.hasKey) throw new IdentityError('user_blocked');
    return route.answer(this.context, {
      caller,
      parameters: (route.path.exec(path) ?? []).slice(1).map(decodeURIComponent),
      body: readJson(text),
      query: url.searchParams,
    });
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

function checkScope({ scope }: IdentityRoute, caller: IdentityCaller): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  const role = caller.hasKey ? 'applications' : caller.session === undefined ? 'guests' : 'users';
  throw new IdentityError(
    'general_unauthorized_scope',
    `User (role: ${role}) missing scopes (${JSON.stringify([scope])})`,
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
