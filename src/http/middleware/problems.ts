import { type FieldProblem, itemOf, sentenceOf } from '../../domain/errors/field-problem.js';
import { ValidateError } from '@tsoa/runtime';
import { isProblem, ProblemError } from '../../domain/errors/problem-error.js';
import type { NextFunction, Request, Response } from 'express';
import { appState, isTakenOut } from '../app-state.js';
import { isUnknownName } from '../../domain/identifiers/nearest-name.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { OverloadedError } from '../../domain/errors/operator-errors.js';
import {
  CancelledError,
  InvalidRequestError,
  MalformedRequestError,
} from '../../domain/errors/caller-errors.js';
import { UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import { requestState, routeOf } from '../request-state.js';
import { sendProblem } from '../send-problem.js';
import { callerLabel } from './observe-requests.js';

/** Turns an error into the response, for every route and every status. */
export function problems(thrown: unknown, request: Request, response: Response, _next: NextFunction): void {
  const error = toCrfError(thrown, request);
  error.requestId = requestState(request).id;
  // Whoever leaves ends their own call: the line of the request says `aborted`.
  const hasLeft = error instanceof CancelledError && response.destroyed;
  if ((error.status >= 500 || response.headersSent) && !hasLeft) logFault(request, error, thrown);

  // The response has begun: only a broken connection can show that it is incomplete (STR-01).
  if (response.headersSent) {
    if (!hasLeft) requestState(request).brokenBy = error;
    response.destroy();
    return;
  }
  sendProblem(response, error);
}

/**
 * Converts any thrown value to a `CrfError`. An unknown one is an internal error. Calls of a project that is taken out
 * while they are under way are cancelled: their request ends as the next one would (PROJ-08).
 */
export function toCrfError(thrown: unknown, request: Request): CrfError {
  if (thrown instanceof CancelledError && isTakenOut(request))
    return new ProblemError('project_not_found', { cause: thrown });
  if (thrown instanceof CrfError) return unknownInPath(thrown, request) ?? inList(thrown, request) ?? thrown;
  if (thrown instanceof ValidateError) return new InvalidRequestError(toFieldProblems(thrown, request));
  if (thrown instanceof URIError) return new MalformedRequestError('The URL has a broken percent-encoding.');
  return fromBodyParser(thrown) ?? new ProblemError('internal_error', { cause: thrown });
}

/**
 * A name in the path that the project does not have is 404, whether this service noticed it or REDCap; one in a parameter
 * or a body is 400.
 */
function unknownInPath(error: CrfError, request: Request): CrfError | undefined {
  const { errors } = error;
  const template = requestState(request).operation?.template;
  const isInPath = ({ field }: FieldProblem): boolean => template?.includes(`{${field}}`) === true;
  return error.status === 400 && errors.some((problem) => isInPath(problem) && isUnknownName(problem))
    ? new ProblemError('name_not_found', { errors, cause: error })
    : undefined;
}

/** A list is sent as `data`, but the client calls it by its name: `users[0].dag` was sent as `data[0].dag`. */
function inList(error: CrfError, request: Request): CrfError | undefined {
  const template = requestState(request).operation?.template ?? '';
  const [, list] = /\/project\/(?:\w+-)?(\w+)$/.exec(template) ?? [];
  if (list === undefined || request.method !== 'PUT' || !request.is('json')) return undefined;
  const isNamed = ({ field }: FieldProblem): boolean => field === list || field.startsWith(`${list}[`);
  if (!error.errors.some(isNamed)) return undefined;
  const errors = error.errors.map((problem) =>
    isNamed(problem) ? { ...problem, field: `data${problem.field.slice(list.length)}` } : problem,
  );
  if (error instanceof InvalidRequestError) return new InvalidRequestError(errors, { cause: error });
  return error instanceof UpstreamRejectedError
    ? new UpstreamRejectedError(sentenceOf(errors, error.message), { errors, cause: error })
    : undefined;
}

/** body-parser names its errors by `type`. Errors from zlib, for a broken `Content-Encoding`, have only a status. */
function fromBodyParser(thrown: unknown): CrfError | undefined {
  const { type, limit, statusCode } = (thrown ?? {}) as Partial<
    Record<'type' | 'limit' | 'statusCode', unknown>
  >;
  switch (type) {
    case 'entity.too.large':
      return new ProblemError('payload_too_large', { limitBytes: Number(limit) });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ProblemError('unsupported_media_type', { supported: ['application/json; charset=utf-8'] });
    case 'request.aborted':
    case 'request.size.invalid':
      return new MalformedRequestError('The body is shorter than its Content-Length.');
    case 'parameters.too.many':
      return new MalformedRequestError('The form has too many fields.');
    default:
      return statusCode === 400 ? new MalformedRequestError('The body cannot be read.') : undefined;
  }
}

/**
 * Logs an internal error with the request id that the caller receives, and with what the line of the request has. What was refused because of the load gets one
 * short line: there are many of them, and a stack would be more load.
 */
export function logFault(request: Request, error: CrfError, thrown: unknown): void {
  const { logger } = appState(request);
  const { entered, trace } = requestState(request);
  const line = {
    requestId: error.requestId,
    traceId: trace?.traceId,
    method: request.method,
    route: routeOf(request),
    project: entered?.name || undefined,
    caller: callerLabel(request),
    code: error.code,
  };
  if (error instanceof OverloadedError) logger.warn(line, 'request refused');
  else logger.error({ ...line, err: isProblem(error, 'internal_error') ? thrown : error }, 'request failed');
}

/**
 * Converts the validation errors of tsoa to field problems. tsoa keeps the refused value in `fields[…].value` and, for
 * unions, repeats it in the message. Neither is passed on (IN-07).
 */
function toFieldProblems({ fields }: ValidateError, { query }: Request): FieldProblem[] {
  return Object.entries(fields).map(([field, { message }]) => ({
    field: fieldForPeople(field, query),
    message: rule(message),
  }));
}

/**
 * Converts tsoa's names, such as `query.fields.$1` and `requestBody.email`, to those the caller used: `fields[1]`, or
 * `fields` for the only one, and `email`.
 */
function fieldForPeople(field: string, query: Request['query']): string {
  const [, list = '', index] = /^(?:query\.)?(\w+)\.\$(\d+)$/.exec(field) ?? [];
  if (index !== undefined) return itemOf(list, [query[list]].flat(), Number(index));
  return field.replace(/^(query|requestBody|body)\./, '').replace(/\.\$(\d+)/g, '[$1]');
}

/** Passes on only messages that are known to contain no value. */
function rule(message: string): string {
  // Written beside the pattern of the parameter.
  if (message.startsWith('must ')) return message;
  const choices = choicesIn(message);
  if (choices.length > 0) return `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`;
  if (message.startsWith('Could not match')) return 'is not of an allowed type';
  if (/^"[^"]*" is an excess property/.test(message)) return 'is not a property of this body';
  if (/is required$/.test(message)) return 'is required';
  const [known] =
    /^(invalid (?:string|integer|float|boolean|array|object)[a-z ]*|min(?:Length|Items|imum)? \d+|max(?:Length|Items|imum)? \d+)/.exec(
      message,
    ) ?? [];
  return known === undefined
    ? 'is not valid'
    : (PLAIN.get(known) ?? known.replace(/^(min|max)(\w*) (\d+)$/, limit));
}

/** Returns the values that an enumeration allows, according to the message about a wrong value. */
function choicesIn(message: string): string[] {
  if (message.startsWith(UNION)) return unionMessages(message.slice(UNION.length)).flatMap(choicesIn);
  const [, list = ''] = /^should be one of the following; \[(.*)\]$/.exec(message) ?? [];
  // A choice of letters needs no quotes; a comma among choices does.
  return (list.match(/'[^']*'|[^',]+/g) ?? []).map((choice) => choice.replace(/^'(\w+)'$/, '$1'));
}

/** @param issues the JSON that tsoa writes for a union: the problems with each of its members, with the refused value */
function unionMessages(issues: string): string[] {
  const members = JSON.parse(issues) as readonly Readonly<Record<string, { readonly message: string }>>[];
  return members.flatMap((problems) => Object.values(problems).map(({ message }) => message));
}

const UNION = 'Could not match the union against any of the items. Issues: ';

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['invalid string value', 'must be a string'],
  ['invalid integer number', 'must be a whole number'],
  ['invalid float number', 'must be a number'],
  ['invalid boolean value', 'must be true or false'],
  ['invalid array', 'must be a list'],
  ['invalid object', 'must be an object'],
]);

function limit(_match: string, side: string, what: string, bound: string): string {
  const range = `at ${side === 'min' ? 'least' : 'most'} ${bound}`;
  if (what === '' || what === 'imum') return `must be ${range}`;
  const unit = what === 'Length' ? 'character' : 'item';
  return `must have ${range} ${unit}${bound === '1' ? '' : 's'}`;
}
