import { describeNetworkFailure } from '../../domain/errors/network-failure.js';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { AppwriteFailure, appwriteFailure } from './appwrite-failure.js';

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
