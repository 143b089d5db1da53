import { ConfigurationError } from '../../errors/operator-errors.js';
import type { FieldProblem } from '../../errors/field-problem.js';
import { identityEndpoint, IDENTITY_ENDPOINT_RULE } from './identity-endpoint.js';

/** The Appwrite project to connect to, and the credentials for it. */
export interface AppwriteOptions {
  /** `https://…/v1`; `http:` only on a loopback host. */
  readonly endpoint: string;
  readonly projectId: string;
  /** Requires the scopes `sessions.write`, `users.read` and `users.write`. */
  readonly apiKey: string;
  /** The time limit of one call including the body of its answer, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** The checked options. */
export interface AppwriteConnection {
  readonly endpoint: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const PROJECT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Characters that are valid in a header. With others, `fetch` would throw a TypeError that contains the key. */
const API_KEY_PATTERN = /^[\u0021-\u007e]{1,2048}$/;

/** @throws {ConfigurationError} naming every invalid setting, never its value */
export function appwriteConnection(options: AppwriteOptions): AppwriteConnection {
  const { projectId, apiKey, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const endpoint = identityEndpoint(options.endpoint);
  const problems: FieldProblem[] = [];
  if (endpoint === undefined) problems.push(problem('endpoint', IDENTITY_ENDPOINT_RULE));
  if (!matches(PROJECT_ID_PATTERN, projectId)) problems.push(problem('projectId', 'must be a project id'));
  if (!matches(API_KEY_PATTERN, apiKey)) {
    problems.push(problem('apiKey', 'must be an API key: 1 to 2048 printable characters without blanks'));
  }
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 120_000) {
    problems.push(problem('timeoutMs', 'must be a whole number from 1 to 120000'));
  }
  if (problems.length > 0 || endpoint === undefined) throw new ConfigurationError(problems);
  return { endpoint, projectId, apiKey, timeoutMs };
}

function problem(setting: string, message: string): FieldProblem {
  return { field: `appwrite.${setting}`, message };
}

function matches(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
