import type { Logger } from 'pino';
import { projectStatesOf } from '../http/app-state.js';
import { CrfError } from '../errors/crf-error.js';

/** How long to wait for a response before the line is written without it. */
const PATIENCE_MS = 10_000;

/** A check of one backend. */
export interface StartupCheck {
  readonly name: 'REDCap' | 'Appwrite';
  /** Runs the check. @returns the result, as the end of the sentence "REDCap answers: …" */
  readonly run: (signal: AbortSignal) => Promise<string>;
}

interface Finding {
  readonly sentence: string;
  /** The code of the problem; undefined if the check succeeded. */
  readonly code: string | undefined;
}

/**
 * Logs one line with the state of REDCap and Appwrite when the service starts, so that a wrong token is noticed then
 * and not with the first call. It never fails, and the result has no other effect.
 *
 * @param checks the checks of the configured backends; without any, nothing is logged
 * @param stopping aborts the report, so that nothing is logged
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

/**
 * Logs how many of several projects answer, and for each of the others why not. It never fails.
 *
 * @param app the application that serves them
 * @param stopping aborts the report, so that nothing is logged
 */
export async function reportProjects(
  app: object,
  logger: Pick<Logger, 'info' | 'warn'>,
  stopping: AbortSignal,
): Promise<void> {
  const states = [...((await projectStatesOf(app)?.checkAll()) ?? [])];
  if (stopping.aborted) return;
  const down = states.filter(([, { status }]) => status === 'down');
  for (const [project, { reason }] of down)
    logger.warn({ project, code: reason }, 'a project cannot be used');
  logger.info(`${states.length - down.length} of ${states.length} projects answer.`);
}

async function find({ name, run }: StartupCheck, stopping: AbortSignal): Promise<Finding> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([stopping, patience]);
  try {
    // Not every check can be aborted. One that cannot is ignored.
    const answer = await Promise.race([run(signal), rejectionOf(signal)]);
    return { sentence: `${name} answers: ${answer}.`, code: undefined };
  } catch (error) {
    if (patience.aborted)
      return { sentence: `${name} has not answered within ${PATIENCE_MS / 1000} s.`, code: 'timeout' };
    // Log only our own messages: those of others may contain values (ERR-02).
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
