import { CancelledError, InvalidRecordsError } from '../domain/errors/caller-errors.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { type FieldProblem, type RecordProblem, said, sentenceOf } from '../domain/errors/field-problem.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import type { ProblemCode } from '../domain/errors/problem-table.js';
import { describeError } from '../server/logging/describe-error.js';
import { CliError, EXIT_CODES, type ExitCode, UsageError } from './cli-error.js';
import { hyphenated } from './options/option.js';

const MAX_PROBLEMS = 20;

/** Returns the message of an error and every problem. The stack is omitted for user errors. Messages of other libraries are left out, since they may contain values (ERR-02). */
export function describeFailure(error: unknown, typed: Typed = { args: [] }): string {
  if (error instanceof UsageError)
    return error.usage === '' ? error.message : `${error.message}\n${error.usage}`;
  if (error instanceof CliError) return error.message;
  if (error instanceof CancelledError) return 'Interrupted.';
  if (error instanceof CrfError) return describeCrfError(error, typed);
  const { type, code, stack } = describeError(error);
  return [`crf failed unexpectedly: ${type}${code === undefined ? '' : ` (${code})`}`, stack].join('\n');
}

/** What the user has typed: its words, and the values of options and arguments by name. */
export interface Typed {
  readonly args: readonly string[];
  readonly values?: Readonly<Record<string, unknown>>;
}

function describeCrfError(error: CrfError, typed: Typed): string {
  // The message of these errors already contains their problems.
  if (error instanceof ConfigurationError)
    return ['The configuration is not valid:', ...listOf(error.errors)].join('\n');
  // A problem of a record names a field of the project.
  const isOfData = error instanceof InvalidRecordsError;
  const errors = isOfData ? error.errors : error.errors.map((problem) => asTyped(problem, typed));
  const message = error.message.replace(sentenceOf(error.errors, ''), () => sentenceOf(errors, ''));
  const [only, ...others] = errors;
  // A message has no place in a file.
  const isInMessage =
    only !== undefined && others.length === 0 && !('line' in only) && message.includes(only.message);
  const wait = error.retryAfterSeconds === undefined ? [] : [`Try again in ${error.retryAfterSeconds} s.`];
  return [message, ...(isInMessage ? [] : listOf(errors)), ...wait].join('\n');
}

/** Says what a request calls `filterLogic` as the option `--filter-logic`, and `records[1]` as what was given there. */
function asTyped(problem: FieldProblem, { args, values = {} }: Typed): FieldProblem {
  const [, parameter, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(problem.field) ?? [];
  if (parameter === undefined || problem.name !== undefined) return problem;
  const given = index === undefined ? undefined : [values[hyphenated(parameter)]].flat()[Number(index)];
  const text = typeof given === 'number' ? String(given) : given;
  // A text may hold several values.
  if (typeof text === 'string' && !/[",]/.test(text)) return { ...problem, name: text };
  const option = `--${hyphenated(parameter)}`;
  const isOption = args.some((word) => word === option || word.startsWith(`${option}=`));
  return { ...problem, field: isOption ? option : parameter };
}

function listOf(errors: readonly FieldProblem[]): string[] {
  const shown = errors.slice(0, MAX_PROBLEMS).map((problem) => {
    const { line, record = '' }: Partial<RecordProblem> = problem;
    const place = [line === undefined ? '' : `line ${line}`, record].filter((part) => part !== '').join(', ');
    return `  ${place === '' ? '' : `${place}: `}${said(problem)}`;
  });
  return errors.length > shown.length ? [...shown, `  … and ${errors.length - shown.length} more`] : shown;
}

const CODES: Partial<Record<keyof typeof EXIT_CODES, readonly ProblemCode[]>> = {
  usage: ['invalid_configuration', 'invalid_identifier', 'invalid_request'],
  credentials: ['upstream_refused', 'upstream_forbidden', 'identity_refused'],
  unreachable: [
    ...(['upstream_unavailable', 'upstream_offline', 'upstream_banned', 'upstream_timeout'] as const),
    ...(['identity_unavailable', 'overloaded'] as const),
  ],
  // Only Ctrl-C and SIGTERM cancel the calls of a command.
  interrupted: ['cancelled'],
};

/** @returns the exit code for an error; for an interrupted import, that of its cause */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (!(error instanceof CrfError)) return EXIT_CODES.failed;
  if (error.code === 'import_interrupted') return exitCodeOf(error.cause);
  const [name] = Object.entries(CODES).find(([, codes]) => codes.includes(error.code)) ?? ['failed' as const];
  return EXIT_CODES[name as keyof typeof EXIT_CODES];
}
