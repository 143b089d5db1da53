import type { Response } from 'express';
import type { CrfError } from '../../../domain/errors/crf-error.js';
import { sendProblem } from '../../send-problem.js';

/** How a response ended: completely, or prematurely. */
export type AnswerEnd = 'whole' | 'aborted';

type End = (...args: readonly unknown[]) => Response;

/**
 * Holds back the last byte of a response until `confirm` resolves, so that nobody learns of an action before the audit
 * log has it. If `confirm` fails, the response is replaced by that error, or broken off if it has already started.
 *
 * A response that is interrupted is confirmed as `aborted`, without waiting for the result: at once if it has begun,
 * otherwise when its route has finished, because the route may still change data after the client has disconnected.
 */
export function holdAnswer(
  response: Response,
  confirm: (end: AnswerEnd) => Promise<void>,
  toError: (thrown: unknown) => CrfError,
): void {
  const end = response.end.bind(response) as unknown as End;
  let isHeld = false;

  const onClose = (): void => {
    if (isHeld || !response.headersSent) return;
    isHeld = true;
    confirm('aborted').catch(() => undefined);
  };
  response.once('close', onClose);

  const release = async (args: readonly unknown[]): Promise<void> => {
    const failure = await confirm(response.closed ? 'aborted' : 'whole').then(
      () => undefined,
      (thrown: unknown) => toError(thrown),
    );
    response.end = end as typeof response.end;
    Reflect.deleteProperty(response, 'headersSent');
    if (failure === undefined) end(...args);
    else refuse(response, failure);
  };
  response.end = ((...args: readonly unknown[]) => {
    if (isHeld) return response;
    isHeld = true;
    // Others must see the response as sent, or tsoa would overwrite it.
    Object.defineProperty(response, 'headersSent', { value: true, configurable: true });
    void release(args);
    return response;
  }) as typeof response.end;
}

/** Discards the prepared response completely, including cookies and file names. */
function refuse(response: Response, error: CrfError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) if (!KEPT.test(name)) response.removeHeader(name);
  sendProblem(response, error);
}

/** The headers that every response has. */
const KEPT =
  /^(?:x-request-id|x-crf-sandbox|connection|cache-control|content-security-policy|cross-origin-.*|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|permissions-policy|vary|ratelimit.*)$/;
