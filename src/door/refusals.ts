import type { NextFunction, Request, Response } from 'express';
import {
  InsufficientScopeError,
  NotInPolicyError,
  RateLimitedError,
  UnauthenticatedError,
} from '../domain/errors/access-errors.js';
import type { CrfError } from '../domain/errors/crf-error.js';
import { type FieldProblem, sentenceOf } from '../domain/errors/field-problem.js';
import { isProblem } from '../domain/errors/problem-error.js';
import { PROBLEMS, type ProblemCode } from '../domain/errors/problem-table.js';
import { problems } from '../http/middleware/problems.js';
import { requestState } from '../http/request-state.js';
import { setProblemHeaders } from '../http/send-problem.js';
import { ApiFailure, invalidParameter, NO_PERMISSION } from '../wire/api-failure.js';
import { Parameters } from '../wire/parameters.js';
import { CONTENT_TYPES, writeFailure } from '../wire/write-answer.js';

/** Turns an error into the answer to a call of REDCap's API, and leaves those of other requests alone. */
export function refusals(thrown: unknown, request: Request, response: Response, next: NextFunction): void {
  const state = requestState(request);
  if (state.door === undefined) return next(thrown);
  if (!(thrown instanceof ApiFailure)) return problems(thrown, request, response, next);
  state.problem = 'invalid_request';
  send(response, thrown);
}

/**
 * Answers a call of REDCap's API with an error: a status that is one, and REDCap's own form with the text alone, because
 * some clients look at the one only, and some at the other.
 *
 * @see docs/protocol/redcap.md 21
 */
export function refuse(response: Response, error: CrfError): void {
  setProblemHeaders(response, error);
  response.removeHeader('WWW-Authenticate');
  const { parameters = new Parameters([]) } = requestState(response.req).door ?? {};
  send(response, { status: statusOf(error), text: textOf(error, parameters) });
}

function send(response: Response, { status, text }: Pick<ApiFailure, 'status' | 'text'>): void {
  const format = requestState(response.req).door?.returnFormat ?? 'xml';
  response.status(status).setHeader('Content-Type', CONTENT_TYPES[format]);
  response.end(writeFailure(text, format));
}

/**
 * A credential is 403, because clients take no other status for a bad token, and what is too much now is 503, which some
 * try again later. What does not exist is 400 in REDCap's API, except a project.
 */
export function statusOf(error: CrfError): number {
  if (error instanceof UnauthenticatedError) return 403;
  if (error instanceof RateLimitedError) return 503;
  return error.status === 404 && !isProblem(error, 'project_not_found') ? 400 : error.status;
}

function textOf(error: CrfError, parameters: Parameters): string {
  if (error instanceof UnauthenticatedError)
    return error.presented === 'address' ? error.message : NO_PERMISSION;
  if (error instanceof InsufficientScopeError)
    return `${NO_PERMISSION}: the key needs the scope ${error.scopes.join(' and ')}`;
  if (error instanceof NotInPolicyError)
    return `${NO_PERMISSION}: ${sentenceOf(error.errors, 'the policy of the key does not allow this')}`;
  if (error.status >= 500) return PROBLEMS[error.code].title;
  return ABSENT[error.code]?.(parameters) ?? redcapSentence(error.errors, parameters) ?? error.message;
}

/** What REDCap says of what is not there. @see docs/protocol/redcap.md 2.2 (client), 18 (choice) */
const ABSENT: Readonly<Partial<Record<ProblemCode, (parameters: Parameters) => string>>> = {
  report_not_found: (parameters) => `The report ${parameters.text('report_id')} does not exist`,
  file_not_found: () => 'The requested file does not exist',
  record_not_found: (parameters) => `The record "${parameters.text('record')}" does not exist`,
};

/** What REDCap says of names that do not exist, and of logic. @see docs/protocol/redcap.md 2.2 (client) */
function redcapSentence(errors: readonly FieldProblem[], parameters: Parameters): string | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  const parameter = first.field.replace(/\[\d+\]$/, '');
  if (parameter === 'filterLogic')
    return `The logic in the parameter "filterLogic" is not valid: it ${first.message}`;
  if (first.code === 'not_a_survey')
    return `The instrument "${parameters.text('instrument')}" is not enabled as a survey`;
  if (first.parameters?.kind === 'file_field')
    return `The field '${parameters.text('field')}' does not exist or is not a 'file' field`;
  if (first.code === 'not_importable') {
    const names = errors.filter(({ code }) => code === first.code).map(({ field }) => field);
    return `The following fields were not found in the project as real data fields: ${names.join(', ')}`;
  }
  if (first.code === 'no_return_later')
    return 'The "Save & Return Later" option is not enabled for this survey';
  if (SINGLE.has(parameter)) return invalidParameter(parameter).text;
  const sent = parameters.list(parameter);
  if (!LISTS.has(parameter) || sent === undefined) return undefined;
  const names = errors.flatMap(({ field, name }) => {
    const [, list, index = '0'] = /^(\w+)(?:\[(\d+)\])?$/.exec(field) ?? [];
    return list === parameter ? [name ?? sent[Number(index)]] : [];
  });
  const list = names.map((name) => `'${name}'`).join(', ');
  return `The following values in the parameter "${parameter}" are not valid: ${list}`;
}

const SINGLE: ReadonlySet<string> = new Set(['instrument', 'event', 'field']);
const LISTS: ReadonlySet<string> = new Set(['fields', 'forms', 'events']);
