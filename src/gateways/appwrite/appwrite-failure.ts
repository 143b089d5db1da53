import { describeNetworkFailure } from '../../domain/errors/network-failure.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { AccountLookup, LinkRequestOutcome } from './identity-types.js';

/**
 * The failure of one call in a form that can be kept and logged: the status and Appwrite's error type. The upstream's
 * message and body are dropped, because they can contain addresses.
 */
export class AppwriteFailure extends Error {
  override readonly name = 'AppwriteFailure';

  /**
   * @param status the HTTP status; 0 if there was no answer, or an unreadable one
   * @param type Appwrite's error type, or the kind of connection failure; empty if unknown
   * @param parameter the parameter that a 400 names
   */
  constructor(
    readonly status: number,
    readonly type: string,
    readonly parameter?: string,
  ) {
    super(`${status} ${type}`.trim());
  }

  /** Whether the upstream is unreachable or failing, so that the same call may succeed later. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Reads the four kinds of failure of an SDK call: `AppwriteException`, `TypeError` from fetch, `DOMException` from our
 * time limit, and objects that are not an `Error` (an answer that is not JSON).
 *
 * @see docs/protocol/appwrite.md 2.4 (source), 8 and 9.2 (client)
 */
export function appwriteFailure(thrown: unknown): AppwriteFailure {
  if (thrown instanceof AppwriteFailure) return thrown;
  if (!isRecord(thrown)) return new AppwriteFailure(0, 'unreadable_answer');
  if (thrown.name === 'AppwriteException') return ofException(thrown);
  if (thrown.name === 'TimeoutError' || thrown.name === 'AbortError')
    return new AppwriteFailure(0, 'timeout');
  if (thrown instanceof TypeError) return new AppwriteFailure(0, networkType(thrown));
  return new AppwriteFailure(0, 'unreadable_answer');
}

function ofException({ code, type, message }: Record<string, unknown>): AppwriteFailure {
  const status = typeof code === 'number' && code >= 100 && code < 600 ? code : 0;
  // A proxy's error page has no type and can have any status.
  const known = typeof type === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(type) ? type : '';
  const [, parameter] =
    /^Invalid `([A-Za-z]{1,32})` param:/.exec(typeof message === 'string' ? message : '') ?? [];
  return new AppwriteFailure(status, known, parameter);
}

function networkType({ cause }: TypeError): string {
  const code = isRecord(cause) ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'transport';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * 4xx answers that distinguish a known address from an unknown one. The caller of signup must not see the difference.
 */
const DECLINING_TYPES = new Set([
  'user_already_exists',
  'user_blocked',
  'user_count_exceeded',
  'user_email_already_exists',
  'user_email_disposable',
  'user_email_free',
  'user_email_not_canonical',
  'user_email_not_corporate',
]);

/** Reads the failure of a link request. @see docs/protocol/appwrite.md 4, 5.2 (source) */
export function declinedLink(failure: AppwriteFailure): LinkRequestOutcome | undefined {
  const { status, type, parameter } = failure;
  if (DECLINING_TYPES.has(type)) return { kind: 'declined' };
  // From a proxy, or from a policy of Appwrite Cloud that is not part of the open source code.
  if (status === 409) return { kind: 'declined' };
  if (type === 'general_invalid_email' || (type === 'general_argument_invalid' && parameter === 'email')) {
    return { kind: 'malformed-address' };
  }
  return status === 500 && type === 'general_unknown' ? { kind: 'maybe-id-taken' } : undefined;
}

/**
 * Reads the failure of a call with an invalid session, which Appwrite answers as if nobody were signed in.
 *
 * @see docs/protocol/appwrite.md 1, 4 (source)
 */
export function deadSession({ type }: AppwriteFailure): Exclude<AccountLookup['kind'], 'active'> | undefined {
  switch (type) {
    case 'general_unauthorized_scope':
    case 'user_unauthorized':
    case 'user_jwt_invalid':
      return 'no-session';
    case 'user_blocked':
      return 'blocked';
    case 'user_more_factors_required':
    case 'user_password_reset_required':
      return 'more-factors-required';
    default:
      return undefined;
  }
}

/** Reads the failure of a call whose user or session does not exist. */
export function gone({ type }: AppwriteFailure): 'gone' | undefined {
  return type === 'user_not_found' || type === 'user_session_not_found' ? 'gone' : undefined;
}

/**
 * Returns the error for a failure that the call itself does not handle: an outage, or a mistake in our configuration.
 * Everything that is not an outage counts as a fault on our side.
 *
 * @see docs/protocol/appwrite.md 4 (source)
 */
export function identityProblem(thrown: unknown): ProblemError {
  const failure = appwriteFailure(thrown);
  if (failure.isOutage)
    return new ProblemError('identity_unavailable', { cause: failure, reason: reasonOf(failure) });
  return new ProblemError('identity_refused', { refusal: refusalOf(failure), cause: failure });
}

function reasonOf({ status, type }: AppwriteFailure): string | undefined {
  return status === 0 && /^[A-Z]/.test(type) ? describeNetworkFailure(type) : undefined;
}

/**
 * Returns the error for a 2xx with an unexpected body: another server answers at the endpoint, or Appwrite is broken.
 */
export function unreadableAnswer(): ProblemError {
  return new ProblemError('identity_unavailable', { cause: new AppwriteFailure(0, 'unreadable_answer') });
}

/** Returns the error for a key that Appwrite does not treat as a key: it then answers, but leaves secrets blank. */
export function blankSecret(): ProblemError {
  return new ProblemError('identity_refused', {
    refusal:
      'The identity backend does not recognize the API key as one. Check APPWRITE_API_KEY, or appwrite.apiKey.',
    cause: new AppwriteFailure(201, 'blank_secret'),
  });
}

function refusalOf({ type, parameter }: AppwriteFailure): string | undefined {
  switch (type) {
    case 'user_unauthorized':
      return 'The identity backend does not know the API key. Check APPWRITE_API_KEY and APPWRITE_PROJECT_ID, or appwrite.apiKey and appwrite.projectId.';
    case 'project_key_expired':
      return 'The API key of the identity backend has expired. Create a new one and set it as APPWRITE_API_KEY, or appwrite.apiKey.';
    case 'general_unauthorized_scope':
      return 'The API key lacks a scope. It needs sessions.write, users.read and users.write.';
    case 'project_not_found':
    case 'project_id_missing':
      return 'The identity backend does not know the project. Check APPWRITE_PROJECT_ID, or appwrite.projectId.';
    case 'general_argument_invalid':
      return parameter === 'url'
        ? 'The identity backend does not allow the host of LOGIN_URL (loginUrl). Add it to the platforms of the project.'
        : undefined;
    default:
      return undefined;
  }
}
