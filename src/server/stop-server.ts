import { once } from 'node:events';
import { ProblemError } from '../domain/errors/problem-error.js';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, Response } from 'express';
import type { Logger } from 'pino';
import { beginShutdown } from '../app/app.js';
import type { AuthSettings } from '../app/create-app-options.js';
import type { Settings } from './config/settings.js';
import { sendProblem } from '../http/send-problem.js';
import type { Cleanup } from './cleanup.js';
import type { SecretRotation } from './secret-rotation.js';

/** How long a stop waits for the identity backend to end sessions, and after a fault for everything to be closed. */
const LAST_TRY_MS = 3_000;
/** How long to wait until the last responses are sent. */
const LAST_ANSWERS_MS = 1_000;
/** How often to look for idle connections. */
const SWEEP_MS = 100;

/** What a stop has to do with, one after the other. */
export interface RunningParts {
  readonly app: Express;
  readonly server: Server;
  readonly connections: ReadonlySet<Connection>;
  readonly secrets: SecretRotation;
  /** Ends the reports of the start. */
  readonly stopping: AbortController;
  readonly auth: AuthSettings | undefined;
  /** Closes everything else. */
  readonly cleanup: Cleanup;
  readonly logger: Logger;
}

/**
 * Stops gracefully (OPS-02): immediately reports not ready, keeps serving during the drain delay, accepts no new
 * connections, and waits a limited time for the requests in progress. Resolves when everything is closed.
 */
export async function stopServer(parts: RunningParts, { shutdown }: Settings): Promise<void> {
  begin(parts);
  await sleep(shutdown.drainDelayMs);
  await confirmEndedSessions(parts);
  await closeServer(parts.server, parts.connections, { timeoutMs: shutdown.timeoutMs });
  const errors = await parts.cleanup.run();
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be closed.');
  parts.logger.info('stopped');
  parts.logger.flush();
}

/**
 * Stops after an uncaught fault (OPS-06): accepts no new connections, and gives requests in progress as much time as a
 * graceful stop. Those still without a response get a 500. Resolves even if something cannot be closed.
 */
export async function stopAfterFault(parts: RunningParts, { shutdown }: Settings): Promise<void> {
  const { timeoutMs } = shutdown;
  begin(parts);
  // The fault may affect closing itself.
  await Promise.race([
    closeServer(parts.server, parts.connections, { timeoutMs, onOverdue: answerOverdue }),
    sleep(timeoutMs + LAST_TRY_MS),
  ]);
  await confirmEndedSessions(parts);
  await Promise.race([parts.cleanup.run(), sleep(LAST_TRY_MS)]);
}

function begin({ secrets, stopping, app }: RunningParts): void {
  secrets.stop();
  stopping.abort();
  beginShutdown(app);
}

/** Late, so that the latest sign-outs are included, and with a time limit in case the identity backend hangs. */
async function confirmEndedSessions({ auth }: RunningParts): Promise<void> {
  await Promise.race([auth?.service.confirmEndedSessions(), sleep(LAST_TRY_MS, undefined, { ref: false })]);
}

/** The key under which a connection stores its latest response. A property costs nothing per request. */
const LAST_RESPONSE = Symbol('last response');

/** A connection of the server. */
type Connection = Socket & { [LAST_RESPONSE]?: Response };

/** Tracks the open connections of a server. Call it before the server listens. */
export function connectionsOf(server: Server): ReadonlySet<Connection> {
  const connections = new Set<Connection>();
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }: { readonly socket: Connection }, response: Response) => {
    socket[LAST_RESPONSE] = response;
  });
  return connections;
}

interface CloseOptions {
  /** The time after which open connections are destroyed. */
  readonly timeoutMs: number;
  /** Called after that time with the responses in progress, before they are destroyed. */
  readonly onOverdue?: (responses: readonly Response[]) => Promise<void>;
}

/**
 * Closes a server gracefully: it accepts no new connections, completes the requests in progress, and closes idle
 * connections.
 *
 * @param connections the connections of the server, from `connectionsOf`
 */
export async function closeServer(
  server: Server,
  connections: ReadonlySet<Connection>,
  { timeoutMs, onOverdue = () => Promise.resolve() }: CloseOptions,
): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A response that began before the drain has no `Connection: close`, so its client may keep the connection.
  const sweep = setInterval(() => closeIdle(server, connections), SWEEP_MS);
  const overdue = setTimeout(() => {
    void onOverdue(underWay(connections)).finally(() => server.closeAllConnections());
  }, timeoutMs);
  closeIdle(server, connections);
  await closed;
  clearInterval(sweep);
  clearTimeout(overdue);
}

function underWay(connections: ReadonlySet<Connection>): Response[] {
  return [...connections].flatMap(({ [LAST_RESPONSE]: response }) =>
    response === undefined || response.writableEnded ? [] : [response],
  );
}

/**
 * Node does not count a connection as idle if nothing has been received on it. Browsers open such connections in
 * advance.
 */
function closeIdle(server: Server, connections: ReadonlySet<Connection>): void {
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * Responds with 500 to the requests without a response, because the fault may have ended the work that would have
 * produced one (OPS-06). A response that has begun is not touched: only a broken connection can show that it is
 * incomplete (STR-01).
 *
 * @param responses all responses in progress
 * @returns after the responses have been sent, or after a second
 */
async function answerOverdue(responses: readonly Response[]): Promise<void> {
  const unanswered = responses.filter(({ headersSent }) => !headersSent);
  const left = unanswered.map((response) => once(response, 'close'));
  for (const response of unanswered) {
    const error = new ProblemError('internal_error');
    const requestId = response.getHeader('X-Request-Id');
    if (typeof requestId === 'string') error.requestId = requestId;
    response.setHeader('Connection', 'close');
    sendProblem(response, error);
  }
  await Promise.race([Promise.all(left), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
}
