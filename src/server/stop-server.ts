import { once } from 'node:events';
import { ProblemError } from '../domain/errors/problem-error.js';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express, Response } from 'express';
import type { Logger } from 'pino';
import { beginShutdown } from '../app/app.js';
import type { AuthSettings } from '../app/create-app-options.js';
import type { Settings } from './config/settings.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { sendProblem } from '../http/send-problem.js';
import type { AdminServer } from './admin-server.js';
import { closeServer, type Connection } from './close-server.js';
import type { OpenAudit } from './open-audit.js';
import type { ServedProject } from './open-projects.js';
import type { OverloadWatch } from './overload-watch.js';
import type { SecretRotation } from './secret-rotation.js';
import type { Sandboxes } from './start-sandboxes.js';

/** How long a stop waits for the identity backend to end sessions. */
const LAST_TRY_MS = 3_000;
/** How long to wait until the last responses are sent. */
const LAST_ANSWERS_MS = 1_000;

/** What a running server consists of. */
export interface RunningParts {
  readonly app: Express;
  readonly server: Server;
  readonly connections: ReadonlySet<Connection>;
  readonly secrets: SecretRotation;
  /** Ends the reports of the start. */
  readonly stopping: AbortController;
  readonly auth: AuthSettings | undefined;
  readonly watch: OverloadWatch;
  readonly opened: ReadonlyMap<string, ServedProject>;
  readonly audits: ReadonlyMap<string, OpenAudit>;
  readonly shared: SharedState | undefined;
  readonly sandboxes: Sandboxes | undefined;
  readonly admin: AdminServer | undefined;
  readonly audit: OpenAudit | undefined;
  readonly logger: Logger;
}

/**
 * Stops gracefully (OPS-02): immediately reports not ready, keeps serving during the drain delay, accepts no new
 * connections, and waits a limited time for the requests in progress. Resolves when everything is closed.
 */
export async function stopServer(parts: RunningParts, { values }: Settings): Promise<void> {
  begin(parts);
  await sleep(values.DRAIN_DELAY_MS ?? (values.NODE_ENV === 'production' ? 5000 : 0));
  await confirmEndedSessions(parts);
  await closeServer(parts.server, parts.connections, { timeoutMs: values.SHUTDOWN_TIMEOUT_MS });
  parts.watch.stop();
  await closeAll(parts.opened);
  await closeAll(parts.audits);
  await parts.shared?.close();
  await parts.sandboxes?.close();
  await parts.admin?.close();
  await parts.audit?.close();
  parts.logger.info('stopped');
  parts.logger.flush();
}

/**
 * Stops after an uncaught fault (OPS-06): accepts no new connections, and gives requests in progress as much time as a
 * graceful stop. Those still without a response get a 500. Resolves even if something cannot be closed.
 */
export async function stopAfterFault(parts: RunningParts, { values }: Settings): Promise<void> {
  const timeoutMs = values.SHUTDOWN_TIMEOUT_MS;
  begin(parts);
  // The fault may affect closing itself.
  await Promise.race([
    closeServer(parts.server, parts.connections, { timeoutMs, onOverdue: answerOverdue }),
    sleep(timeoutMs + LAST_TRY_MS),
  ]);
  await confirmEndedSessions(parts);
  await closeAll(parts.opened);
  await closeAll(parts.audits);
  await parts.shared?.close();
  await parts.audit?.close();
}

/** Closes projects or audit logs, all at once. */
export async function closeAll(parts: ReadonlyMap<string, { close(): Promise<void> }>): Promise<void> {
  await Promise.all([...parts.values()].map((part) => part.close()));
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
  for (const response of unanswered) answer(response);
  await Promise.race([Promise.all(left), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
}

function answer(response: Response): void {
  const error = new ProblemError('internal_error');
  const requestId = response.getHeader('X-Request-Id');
  if (typeof requestId === 'string') error.requestId = requestId;
  response.setHeader('Connection', 'close');
  sendProblem(response, error);
}
