import { CrfError } from '../../errors/crf-error.js';
import { exitCodeOf } from '../exit-code-of.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { describeFailure } from '../report-failure.js';

/** One thing that is looked at. */
export interface Check {
  readonly name: string;
  /** What it found, in a few words. */
  run(): Promise<string>;
  /** What to try when it fails. */
  readonly advice: string;
}

/** The outcome of one check, as `--json` prints it. */
export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'skipped';
  /** Milliseconds; 0 for a check that was skipped. */
  readonly latencyMs: number;
  /** What it found, or what went wrong. */
  readonly detail: string;
  /** The code of the problem, when it failed. */
  readonly code?: string;
  /** What to try next, when it failed. */
  readonly advice?: string;
}

/** The document of `--json`: the same shape for success and failure. */
export interface CheckReport {
  readonly ok: boolean;
  readonly exitCode: ExitCode;
  readonly target: string;
  readonly checks: readonly CheckResult[];
}

/** Runs the checks in order. After the first that fails the others are skipped: they would fail for the same reason. */
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
        detail: isOurs ? error.message : describeFailure(error),
        ...(isOurs && { code: error.code }),
        advice: check.advice,
      },
    };
  }
}

/** Prints a report: one JSON document on stdout, or a line a check. @returns its exit code */
export function printReport(report: CheckReport, { json }: { readonly json: boolean }): ExitCode {
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : toLines(report));
  return report.exitCode;
}

function toLines({ ok, target, checks }: CheckReport): string {
  const lines = checks.flatMap(({ name, status, latencyMs, detail, advice }) => [
    `${MARKS[status]} ${name.padEnd(16)} ${status === 'skipped' ? '' : `${latencyMs} ms`.padStart(8)}  ${detail}`,
    ...(advice === undefined ? [] : [`    next: ${advice}`]),
  ]);
  return `${target}\n\n${lines.join('\n')}\n\n${ok ? 'All checks passed.' : 'Some checks failed.'}\n`;
}

/** Words, not colours: they read the same in a terminal, in a pipe and aloud. */
const MARKS = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' } as const;
