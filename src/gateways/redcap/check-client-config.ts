import {
  aNumber,
  aTime,
  hasMethods,
  isAccepted,
  required,
  optional,
  optionalGroupProblems,
  optionProblems,
  refuseProblems,
} from '../../errors/check-options.js';
import { API_TOKEN_RULE, ApiToken } from '../../identifiers/api-token.js';
import { API_URL_RULE, ApiUrl } from '../../identifiers/api-url.js';

const TIMEOUTS = { connectMs: aTime(1), firstByteMs: aTime(1), idleMs: aTime(1) };

const RESILIENCE = {
  maxRetries: aNumber(0),
  retryBaseMs: aTime(0),
  retryMaxMs: aTime(0),
  retryQuota: aNumber(0, { isWhole: false }),
  retryReserve: aNumber(0),
  totalMs: aTime(1),
  concurrency: aNumber(1),
  queueLimit: aNumber(0),
  queueWaitMs: aTime(0),
  callsPerMinute: aNumber(0),
  breakerFailures: aNumber(0),
  breakerOpenMs: aTime(1),
  cacheMs: aTime(0),
};

const OPTIONS = {
  url: required(isAccepted(ApiUrl), API_URL_RULE),
  token: required(isAccepted(ApiToken), API_TOKEN_RULE),
  agent: optional((agent) => hasMethods(agent, 'destroy'), 'must be an agent of node:http or node:https'),
  maxAnswerBytes: aNumber(1),
  importEncoding: optional(
    (encoding) => encoding === 'multipart' || encoding === 'urlencoded',
    'must be multipart or urlencoded',
  ),
  clock: optional((clock) => hasMethods(clock, 'now'), 'must be a clock'),
};

/** @throws {ConfigurationError} naming every invalid option of a client, never its value */
export function checkClientConfig(config: unknown): void {
  const { timeouts, resilience } = (config ?? {}) as { timeouts?: unknown; resilience?: unknown };
  refuseProblems([
    ...optionProblems(config, OPTIONS),
    ...optionalGroupProblems(timeouts, TIMEOUTS, 'timeouts'),
    ...optionalGroupProblems(resilience, RESILIENCE, 'resilience'),
  ]);
}
