import type { CrfError } from '../../domain/errors/crf-error.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import {
  UpstreamForbiddenError,
  UpstreamInvalidError,
  UpstreamRefusedError,
  UpstreamRejectedError,
  UpstreamUnavailableError,
  wordsOfAnswer,
  type UpstreamAnswer,
} from '../../domain/errors/upstream-errors.js';
import { SCOPES } from '../../domain/identifiers/scope.js';
import { toErrorBody, type ErrorBody } from './error-text.js';
import { toRejection } from './rejection.js';
import { firstWords } from './safe-wording.js';
import type { WireParameters } from './wire-parameters.js';

/** An answer whose status is not a success. */
export interface BadAnswer {
  readonly status: number;
  /** The body, or the beginning of it. */
  readonly body: string;
  readonly retryAfter: string | undefined;
}

/**
 * Turns an answer with an error status into an error. This is the only place that does so. Of the body, only the first
 * words of a fixed list go into the error.
 *
 * @see docs/protocol/redcap.md 1.9, 1.11
 */
export function classifyStatus(
  { status, body, retryAfter }: BadAnswer,
  parameters: WireParameters,
): CrfError {
  const errorBody = toErrorBody(body);
  const answer = { status, words: firstWords(errorBody?.kind === 'error' ? errorBody.text : body) };
  if (errorBody?.kind === 'memory') return outOfMemory();
  if (errorBody?.kind === 'banned') return new ProblemError('upstream_banned');
  if (errorBody?.kind === 'offline') return new ProblemError('upstream_offline');
  if (status >= 300 && status < 400) return odd(REDIRECTED, answer);
  if (status === 400 || status === 406) return classifyRejection(body, errorBody, parameters, answer);
  if (status === 401 || status === 403) return classifyRefusal(errorBody, body, answer);
  if (status === 413 || status === 414) return new UpstreamRejectedError(TOO_LARGE);
  const advice = ADVICE.get(status);
  if (advice !== undefined) return odd(advice, answer);
  if (status === 408 || status === 429 || status >= 500) return unavailable(retryAfter, answer);
  return new UpstreamInvalidError(
    `The server answered with ${wordsOfAnswer(answer)}, which REDCap's API does not use. ${CHECK_URL}`,
    { answer },
  );
}

/** Returns the error of a body that is not data although the status is a success. */
export function classifyErrorBody(errorBody: ErrorBody): CrfError {
  switch (errorBody.kind) {
    case 'memory':
      return outOfMemory();
    case 'banned':
      return new ProblemError('upstream_banned');
    case 'offline':
      return new ProblemError('upstream_offline');
    case 'blank':
      return new UpstreamInvalidError('REDCap answered nothing where data was asked for.', { isBlank: true });
    case 'html':
      return new UpstreamInvalidError(`${webPage(errorBody.page)} ${CHECK_URL}`, {
        answer: { status: 200, words: firstWords(errorBody.page) },
      });
    case 'error':
      return new UpstreamInvalidError('REDCap answered an error in the place of data.');
  }
}

function odd(advice: string, answer: UpstreamAnswer): UpstreamInvalidError {
  return new UpstreamInvalidError(`${advice} The answer: ${wordsOfAnswer(answer)}.`, { answer });
}

function webPage(page: string): string {
  const words = firstWords(page);
  return `A web page was answered where data was asked for${words === undefined ? '' : `, "${words}"`}.`;
}

/** Returns the error for REDCap running out of memory. The same call in smaller parts may work. */
export function outOfMemory(): UpstreamInvalidError {
  return new UpstreamInvalidError('REDCap ran out of memory. Request fewer fields or records at a time.', {
    isOutOfMemory: true,
  });
}

/** Returns the error for data of an unexpected form. */
export function notAsAsked(what: string): UpstreamInvalidError {
  return new UpstreamInvalidError(`REDCap answered something that is not ${what}.`);
}

const CHECK_URL = 'Check the URL of the API (CAPTURE_API_URL, or url of the client): it ends in /api/.';
const REDIRECTED = `REDCap redirected the call, which would send the token elsewhere. ${CHECK_URL}`;
const TOO_LARGE = 'The call is larger than the server in front of REDCap takes. Send less at once.';

const ADVICE: ReadonlyMap<number, string> = new Map([
  [404, `Nothing answers at this path of the server. ${CHECK_URL}`],
  [405, `The server takes no POST at this path. ${CHECK_URL}`],
  [411, `The server did not take the call as one of REDCap's API. ${CHECK_URL}`],
  [501, `REDCap did not take the call as one of its API. ${CHECK_URL}`],
]);

function unavailable(retryAfter: string | undefined, answer: UpstreamAnswer): CrfError {
  const retryAfterSeconds = toRetryAfterSeconds(retryAfter);
  return new UpstreamUnavailableError('server error', {
    answer,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

function classifyRejection(
  body: string,
  errorBody: ErrorBody | undefined,
  parameters: WireParameters,
  answer: UpstreamAnswer,
): CrfError {
  if (errorBody?.kind === 'html') return refusedInFront(answer);
  // Plain text in none of the three error formats also occurs; it is classified by its wording.
  return toRejection(errorBody?.kind === 'error' ? errorBody.text : body.trim(), parameters);
}

/** The rights that REDCap names when it refuses a call. @see docs/protocol/redcap.md 2.1 */
const RIGHTS: readonly (readonly [pattern: RegExp, right: string])[] = [
  [/API Import\/Update privileges/i, 'API Import/Update'],
  [/API Export privileges/i, 'API Export'],
  [/Delete Record privileges/i, 'Delete Record'],
  [/Rename Record privileges/i, 'Rename Record'],
  [/Create Records? privileges/i, 'Create Records'],
  [/Randomize privileges/i, 'Randomize'],
  [/Project Design and Setup privileges/i, 'Project Design and Setup'],
  [/User Rights privileges/i, 'User Rights'],
  [/Data Access Groups privileges/i, 'Data Access Groups'],
  [/Survey Distribution Tools privileges/i, 'Survey Distribution Tools'],
  [/File Repository privileges/i, 'File Repository'],
  [/Logging privileges/i, 'Logging'],
  [/Reports privileges/i, 'Reports'],
];

/** What a service like this one, in the place of a REDCap, says of what a key may not do. */
const OF_KEY = /^You do not have permissions to use the API: (?:the key needs the scope (.+))?/;

function classifyRefusal(errorBody: ErrorBody | undefined, body: string, answer: UpstreamAnswer): CrfError {
  const text = errorBody?.kind === 'error' ? errorBody.text : '';
  const right = RIGHTS.find(([pattern]) => pattern.test(text))?.[1];
  if (right !== undefined) return new UpstreamForbiddenError(right);
  const ofKey = OF_KEY.exec(text);
  if (ofKey !== null) {
    const scopes = SCOPES.filter((scope) => ofKey[1]?.includes(scope));
    return new UpstreamForbiddenError(scopes.join(' and ') || 'policy', true);
  }
  // REDCap's own refusal is one of its errors. A page, or a text that speaks of neither, is of a firewall or a proxy.
  const isRedcaps = errorBody?.kind === 'error' || errorBody?.kind === 'blank' || OF_REDCAP.test(body);
  return isRedcaps && errorBody?.kind !== 'html'
    ? new UpstreamRefusedError(undefined, { answer })
    : refusedInFront(answer);
}

const OF_REDCAP = /\b(?:API|token|privileges|permissions?)\b/i;

/** Returns the error of a firewall or a proxy that refused a call. The token has nothing to do with it. */
function refusedInFront(answer: UpstreamAnswer): UpstreamInvalidError {
  return new UpstreamInvalidError(
    `A firewall or another server refused the call before REDCap saw it: ${wordsOfAnswer(answer)}. Ask its administrators to let the calls of this machine through to the URL of the API.`,
    { answer },
  );
}

/**
 * Reads a `Retry-After` header, which contains seconds or a date.
 *
 * @returns whole seconds from now, at most a day; `undefined` if there is no header or it cannot be read
 */
export function toRetryAfterSeconds(header: string | undefined, nowMs = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), DAY_SECONDS) : undefined;
}

const DAY_SECONDS = 86_400;
