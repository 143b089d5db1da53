import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { InternalError } from '../errors/operator-errors.js';
import { sendProblem } from '../http/send-problem.js';

/** How long to wait until these responses are sent. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Responds with 500 to the requests without a response, because the fault may have ended the work that would have
 * produced one (OPS-06). A response that has begun is not touched: only a broken connection can show that it is
 * incomplete (STR-01).
 *
 * @param responses all responses in progress
 * @returns after the responses have been sent, or after a second
 */
export async function answerOverdue(responses: readonly Response[]): Promise<void> {
  const unanswered = responses.filter(({ headersSent }) => !headersSent);
  const left = unanswered.map((response) => once(response, 'close'));
  for (const response of unanswered) answer(response);
  await Promise.race([Promise.all(left), sleep(LAST_ANSWERS_MS, undefined, { ref: false })]);
}

function answer(response: Response): void {
  const error = new InternalError();
  const requestId = response.getHeader('X-Request-Id');
  if (typeof requestId === 'string') error.requestId = requestId;
  response.setHeader('Connection', 'close');
  sendProblem(response, error);
}
