import type { Logger } from 'pino';
import { CrfError } from '../errors/crf-error.js';

/** How long an answer is waited for: then the line is written without it. */
const PATIENCE_MS = 10_000;

/** What the service calls, as an operator knows it. */
export interface StartupCheck {
  readonly name: 'REDCap' | 'Appwrite';
  /** Asks it. @returns what it answered with, as the end of the sentence "REDCap answers: …" */
  readonly run: (signal: AbortSignal) => Promise<string>;
}

interface Finding {
  readonly sentence: string;
  /** The code of the problem; undefined when all is well. */
  readonly code: string | undefined;
}

/**
 * Writes one line that says what REDCap and Appwrite answered when the service started: a wrong token is noticed then,
 * and not with the first caller. It never fails, and what it finds changes nothing.
 *
 * @param checks of what is configured; nothing is written when there are none
 * @param stopping ends it without a line
 */
export async function reportAtStart(
  checks: readonly StartupCheck[],
  logger: Pick<Logger, 'info' | 'warn'>,
  stopping: AbortSignal,
): Promise<void> {
  if (checks.length === 0) return;
  const findings = await Promise.all(checks.map((check) => find(check, stopping)));
  if (stopping.aborted) return;

  const line = findings.map(({ sentence }) => sentence).join(' ');
  const codes = findings.flatMap(({ code }) => (code === undefined ? [] : [code]));
  if (codes.length === 0) logger.info(line);
  else logger.warn({ codes }, line);
}

async function find({ name, run }: StartupCheck, stopping: AbortSignal): Promise<Finding> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([stopping, patience]);
  try {
    // Not every check can be called off: one that cannot is left behind.
    const answer = await Promise.race([run(signal), rejectionOf(signal)]);
    return { sentence: `${name} answers: ${answer}.`, code: undefined };
  } catch (error) {
    if (patience.aborted)
      return { sentence: `${name} has not answered within ${PATIENCE_MS / 1000} s.`, code: 'timeout' };
    // Words of our own alone: those of others may hold values (ERR-02).
    if (error instanceof CrfError)
      return { sentence: `${name} cannot be used: ${error.message}`, code: error.code };
    return { sentence: `${name} could not be asked.`, code: 'internal_error' };
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (): void => reject(signal.reason as Error);
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
