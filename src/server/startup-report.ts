import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AuthSettings } from '../app/create-app-options.js';
import { projectStatesOf } from '../http/app-state.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { RECORD_ID_MIN_LENGTH } from '../domain/identifiers/record-id.js';
import { isRefusal } from '../gateways/redcap/call-errors.js';
import { shortIdWarning } from '../services/short-id-warning.js';
import type { Settings } from './config/settings.js';
import type { OpenedProject } from './open-projects.js';

/** How long to wait for a response before the line is written without it. */
const PATIENCE_MS = 10_000;

/** A project to report on. */
type Reported = Pick<OpenedProject, 'options'> & Partial<Pick<OpenedProject, 'number'>>;

/** A check of one backend. */
export interface StartupCheck {
  readonly name: 'REDCap' | 'Appwrite';
  /** Runs the check. @returns the result, as the end of the sentence "REDCap answers: …" */
  readonly run: (signal: AbortSignal) => Promise<string>;
}

/** Returns the checks at start: one for each configured backend, none for the sandbox, which runs in this process. */
export function startupChecks(
  { capture, appwrite }: Pick<Settings, 'capture' | 'appwrite'>,
  project: Reported | undefined,
  auth: AuthSettings | undefined,
): StartupCheck[] {
  const checks: StartupCheck[] = [];
  if (capture && project)
    checks.push({
      name: 'REDCap',
      run: async (signal) => {
        const version = await project.options.capture.getVersion({ signal, caller: 'start' });
        // A token may lack the right to export, which the service reports when it is needed.
        const warning = await warningOf(project, signal).catch((error: unknown) => {
          if (!isRefusal(error)) throw error;
        });
        return `version ${version}${warning === undefined ? '' : `. ${warning}`}`;
      },
    });
  if (appwrite)
    checks.push({
      name: 'Appwrite',
      run: async () => {
        await auth?.service.checkReadiness();
        return 'it knows the project and the key';
      },
    });
  return checks;
}

/** Returns what `crf check` would warn of. Learns on the way by what a token of another project is recognised later. */
async function warningOf({ options, number }: Reported, signal: AbortSignal): Promise<string | undefined> {
  const call = { signal, caller: 'start' };
  // A refusal is reported when it matters.
  await number?.learn(call).catch(() => undefined);
  const { capture, imports: { recordIdMinLength = RECORD_ID_MIN_LENGTH } = {} } = options;
  return shortIdWarning(capture, recordIdMinLength, call);
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

async function find({ name, run }: StartupCheck, stopping: AbortSignal): Promise<Finding> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([stopping, patience]);
  try {
    signal.throwIfAborted();
    // Not every check can be aborted. One that cannot is ignored.
    const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
    const answer = await Promise.race([run(signal), aborted]);
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

/** After so many projects the warnings of more follow a minute later: REDCap counts calls. */
const PROJECTS_PER_MINUTE = 10;

/**
 * Logs how many of several projects answer, for each of the others why not, and for those that do what `crf check` would
 * warn of (IN-11). It never fails.
 *
 * @param app the application that serves them
 * @param projects those to report on, which may be some of them
 * @param stopping aborts the report, so that nothing is logged
 */
export async function reportProjects(
  app: object,
  projects: ReadonlyMap<string, Reported>,
  logger: Pick<Logger, 'info' | 'warn'>,
  stopping: AbortSignal,
): Promise<void> {
  const states = await projectStatesOf(app)?.checked([...projects.keys()]);
  if (states === undefined || states.size === 0 || stopping.aborted) return;
  const up = [...projects].filter(([name]) => states.get(name)?.status !== 'down');
  for (const [project, { status, reason }] of states)
    if (status === 'down') logger.warn({ project, code: reason }, 'a project cannot be used');
  logger.info(`${up.length} of ${states.size} projects answer.`);
  // Many reports may be under way, after changes of the file: each has a signal of its own to listen to.
  const signal = AbortSignal.any([stopping]);
  for (const [at, [name, project]] of up.entries()) {
    if (at > 0 && at % PROJECTS_PER_MINUTE === 0)
      await sleep(60_000, undefined, { ref: false, signal }).catch(() => undefined);
    if (stopping.aborted) return;
    const warning = await warningOf(project, signal).catch(() => undefined);
    if (warning !== undefined) logger.warn({ project: name }, warning);
  }
}
