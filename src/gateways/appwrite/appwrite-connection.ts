import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import {
  APPWRITE_API_KEY_PATTERN,
  APPWRITE_API_KEY_RULE,
  APPWRITE_PROJECT_ID_PATTERN,
  APPWRITE_PROJECT_ID_RULE,
} from '../../domain/identifiers/setting-forms.js';
import { toIdentityEndpoint, IDENTITY_ENDPOINT_RULE } from '../../domain/identifiers/api-url.js';

/** The Appwrite project to connect to, and the credentials for it. */
export interface AppwriteOptions {
  /** `https://…/v1`; `http:` only on a loopback host. */
  readonly endpoint: string;
  readonly projectId: string;
  /**
   * Requires the scopes `sessions.write`, `users.read` and `users.write`. A function is called for each request, so that
   * the key can be exchanged; cookies and links stay protected by the first one.
   */
  readonly apiKey: string | (() => string);
  /** The time limit of one call including the body of its answer, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** The checked options. */
export interface AppwriteConnection {
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: () => string;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;

/** @throws {ConfigurationError} naming every invalid setting, never its value */
export function appwriteConnection(options: AppwriteOptions): AppwriteConnection {
  const { projectId, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const apiKey = () => apiKeyOf(options);
  const endpoint = toIdentityEndpoint(options.endpoint);
  const problems: FieldProblem[] = [];
  if (endpoint === undefined) problems.push(problem('endpoint', IDENTITY_ENDPOINT_RULE));
  if (!matches(APPWRITE_PROJECT_ID_PATTERN, projectId))
    problems.push(problem('projectId', APPWRITE_PROJECT_ID_RULE));
  if (!matches(APPWRITE_API_KEY_PATTERN, apiKey())) problems.push(problem('apiKey', APPWRITE_API_KEY_RULE));
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 120_000) {
    problems.push(problem('timeoutMs', 'must be a whole number from 1 to 120000'));
  }
  if (problems.length > 0 || endpoint === undefined) throw new ConfigurationError(problems);
  return { endpoint, projectId, apiKey, timeoutMs };
}

/** Returns the key to use now. */
export function apiKeyOf({ apiKey }: Pick<AppwriteOptions, 'apiKey'>): string {
  return typeof apiKey === 'function' ? apiKey() : apiKey;
}

function problem(setting: string, message: string): FieldProblem {
  return { field: `appwrite.${setting}`, message };
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
