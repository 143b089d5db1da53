import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CrfError } from '../../domain/errors/crf-error.js';
import { describeNetworkFailure } from '../../domain/errors/network-failure.js';
import {
  upstreamAnswerOf,
  UpstreamInvalidError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { describeFailure, exitCodeOf } from '../describe-failure.js';
import type { Answer } from '../command.js';

export interface Check {
  readonly name: string;
  /** Runs the check. @returns what it found, in a few words */
  run(): Promise<string>;
  /** What to try if the check fails. */
  readonly advice: string;
}

/** The outcome of one check, as printed with `--json`. */
interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  /** Duration in milliseconds; 0 if the check was skipped. */
  readonly latencyMs: number;
  /** What the check found, or what went wrong. */
  readonly detail: string;
  /** The problem code, if the check failed. */
  readonly code?: string;
  /** What to try next, if the check failed. */
  readonly advice?: string;
}

/** The document printed with `--json`, in the same shape for success and failure. */
export interface CheckReport {
  readonly ok: boolean;
  readonly exitCode: ExitCode;
  readonly target: string;
  readonly checks: readonly CheckResult[];
}

/** Runs the checks in order. After a failure, the others are skipped, as they would fail for the same reason. */
export async function runChecks(target: string, checks: readonly Check[]): Promise<CheckReport> {
  const results: CheckResult[] = [];
  let exitCode: ExitCode = EXIT_CODES.ok;
  for (const check of checks) {
    if (exitCode !== EXIT_CODES.ok) {
      results.push({ name: check.name, status: 'skipped', latencyMs: 0, detail: 'skipped' });
      continue;
    }
    const { result, failure } = await runOne(check);
    results.push(result);
    if (failure !== undefined) exitCode = exitCodeOf(failure);
  }
  return { ok: exitCode === EXIT_CODES.ok, exitCode, target, checks: results };
}

/** Returns the report of a check that cannot begin, because the configuration is not valid. */
export function configurationFailed(error: unknown, advice: string): CheckReport {
  const detail = describeFailure(error);
  const failed = { name: 'configuration', status: 'failed', latencyMs: 0, detail } as const;
  const checks = [{ ...failed, code: 'invalid_configuration', advice }];
  return { ok: false, exitCode: exitCodeOf(error), target: 'configuration', checks };
}

async function runOne(check: Check): Promise<{ result: CheckResult; failure?: unknown }> {
  const started = performance.now();
  const latencyMs = (): number => Math.round(performance.now() - started);
  try {
    const detail = await check.run();
    return { result: { name: check.name, status: 'ok', latencyMs: latencyMs(), detail } };
  } catch (error) {
    const isOurs = error instanceof CrfError;
    return {
      failure: error,
      result: {
        name: check.name,
        status: 'failed',
        latencyMs: latencyMs(),
        detail: isOurs ? inOneLine(error) : describeFailure(error),
        ...(isOurs && { code: error.code }),
        // Some say themselves what to do.
        ...(!(isOurs && SELF_EXPLAINING.has(error.code)) && { advice: adviceOn(error) ?? check.advice }),
      },
    };
  }
}

const SELF_EXPLAINING: ReadonlySet<string> = new Set(['upstream_offline', 'upstream_banned']);

function inOneLine({ message, retryAfterSeconds }: CrfError): string {
  return retryAfterSeconds === undefined ? message : `${message} It asks to wait ${retryAfterSeconds} s.`;
}

/** Returns what to do about a cause that is the same for every check: then neither the address nor the token is wrong. */
function adviceOn(error: unknown): string | undefined {
  if (!(error instanceof CrfError)) return undefined;
  const { status = 0 } = upstreamAnswerOf(error) ?? {};
  if (error instanceof UpstreamUnavailableError && status > 0)
    return status === 429 ? ON_TOO_MANY : status > 500 ? IN_FRONT : ON_FAULT;
  if (error instanceof UpstreamInvalidError && (status === 400 || status === 401 || status === 403))
    return 'ask who runs the firewall or proxy in front of REDCap to let this machine call the URL of the API; the token was not looked at';
  return error.code === 'upstream_timeout' ? ON_TIMEOUT : undefined;
}

const IN_FRONT =
  'ask the administrators of REDCap whether it runs behind the server that answered, and try again later';

const ON_TOO_MANY =
  'wait as long as it says, find out what else calls REDCap from this address, and lower CAPTURE_CALLS_PER_MINUTE';
const ON_FAULT =
  'ask the administrators of REDCap: the log of its web server has the reason; and try again later';
const ON_TIMEOUT =
  'ask the administrators of REDCap why it does not answer; if it only is slow, raise CAPTURE_FIRST_BYTE_TIMEOUT_MS';

/** Returns a report, in words one line per check, and its exit code. */
export function reported(report: CheckReport): Answer {
  const { ok, exitCode, target, checks } = report;
  const lines = checks.flatMap(({ name, status, latencyMs, detail, advice }) => [
    `${MARKS[status]} ${name.padEnd(16)} ${status === 'skipped' ? '' : `${latencyMs} ms`.padStart(8)}  ${detail}`,
    ...(advice === undefined ? [] : [`    next: ${advice}`]),
  ]);
  const text = `${target}\n\n${lines.join('\n')}\n\n${ok ? 'All checks passed.' : 'Some checks failed.'}`;
  return { data: report, text, exitCode };
}

/** Words instead of colors, which read the same in a terminal, in a pipe and read aloud. */
const MARKS = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;

/**
 * Tries everything that precedes a request to REDCap: name lookup, connection and certificate. Sends no request.
 *
 * @returns what it found
 * @throws {CliError} naming the failed step and its error code, but not the address
 */
export async function reach({ hostname, port, protocol }: URL, timeoutMs: number): Promise<string> {
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(port) || (isSecure ? 443 : 80) };
  // TLS does not accept an IP address as the server name.
  const socket = isSecure
    ? connectTls({ ...target, ...(isIP(host) === 0 && { servername: host }) })
    : connect(target);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const { code = 'UNKNOWN', name } = error as NodeJS.ErrnoException;
    const sentence = name === 'AbortError' ? 'no connection in time' : describeNetworkFailure(code);
    throw new CliError(`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`, EXIT_CODES.unreachable);
  } finally {
    socket.destroy();
  }
  return isSecure ? 'connected, the certificate is valid' : 'connected';
}
