import type { Response } from 'express';
import type { CrfError } from '../../errors/crf-error.js';
import { sendProblem } from '../../http/send-problem.js';

/** How a response ended: whole, or broken off. */
export type AnswerEnd = 'whole' | 'aborted';

type End = (...args: readonly unknown[]) => Response;

/**
 * Holds the last byte of an answer back until `confirm` has resolved: nobody learns that something was done before the
 * audit log has it. When `confirm` fails, the answer is that error instead; one that has begun already is broken off.
 *
 * An answer that breaks off by itself is confirmed as `aborted`, and nobody waits for that.
 */
export function holdAnswer(
  response: Response,
  confirm: (end: AnswerEnd) => Promise<void>,
  toError: (thrown: unknown) => CrfError,
): void {
  const end = response.end.bind(response) as unknown as End;
  let isHeld = false;

  const onClose = (): void => {
    if (!isHeld) confirm('aborted').catch(() => undefined);
  };
  response.once('close', onClose);

  const release = async (args: readonly unknown[]): Promise<void> => {
    const failure = await confirm('whole').then(
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
    // To everybody else the answer has been given: tsoa would write another one over it.
    Object.defineProperty(response, 'headersSent', { value: true, configurable: true });
    void release(args);
    return response;
  }) as typeof response.end;
}

/** Nothing of the answer that was ready is left: neither a cookie nor a name of a file. */
function refuse(response: Response, error: CrfError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) if (!KEPT.test(name)) response.removeHeader(name);
  sendProblem(response, error);
}

/** What every answer has, whatever it is. */
const KEPT =
  /^(?:x-request-id|x-crf-sandbox|connection|cache-control|content-security-policy|cross-origin-.*|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|permissions-policy|vary|ratelimit.*)$/;
