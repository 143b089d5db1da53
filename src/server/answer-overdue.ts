import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { InternalError } from '../errors/operator-errors.js';
import { sendProblem } from '../http/send-problem.js';

/** How long these answers may take to leave. */
const LAST_ANSWERS_MS = 1_000;

/**
 * Answers 500 to the requests that have no answer yet, as those whose work a fault has ended never will (OPS-06). What
 * has begun is left alone: only a broken connection shows its reader that it is incomplete (STR-01).
 *
 * @param responses all that are under way
 * @returns when the answers have left, or a second later
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
