import {
  aGroup,
  aNumber,
  aTime,
  hasMethods,
  isAccepted,
  oneOf,
  required,
  optional,
  optionProblems,
  refuseProblems,
  type OptionRules,
} from '../domain/identifiers/check-options.js';
import type { ResilienceOptions } from '../gateways/redcap/resilience/resilience-options.js';
import type { UpstreamTimeouts } from '../gateways/redcap/http-exchange.js';
import { API_TOKEN_RULE, ApiToken } from '../domain/identifiers/api-token.js';
import { API_URL_RULE, ApiUrl } from '../domain/identifiers/api-url.js';
import type { CrfClientConfig } from './crf-client-config.js';

const TIMEOUTS = {
  connectMs: aTime(1),
  firstByteMs: aTime(1),
  idleMs: aTime(1),
} satisfies OptionRules<keyof UpstreamTimeouts>;

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
} satisfies OptionRules<keyof ResilienceOptions>;

const OPTIONS = {
  url: required(isAccepted(ApiUrl), API_URL_RULE),
  token: required(isAccepted(ApiToken), API_TOKEN_RULE),
  agent: optional((agent) => hasMethods(agent, 'destroy'), 'must be an agent of node:http or node:https'),
  maxAnswerBytes: aNumber(1),
  importEncoding: oneOf('multipart', 'urlencoded'),
  timeouts: aGroup(TIMEOUTS),
  resilience: aGroup(RESILIENCE),
  shared: optional(
    (state) => hasMethods(state, 'ceiling', 'circuit'),
    'must be the state of resilience, with ceiling and circuit',
  ),
  observer: optional(
    (observer) => hasMethods(observer, 'began', 'sent', 'circuitChanged'),
    'must be an observer, with began, sent and circuitChanged',
  ),
  clock: optional(
    (clock) => hasMethods(clock, 'now', 'schedule', 'random'),
    'must be a clock, with now, schedule and random',
  ),
} satisfies OptionRules<keyof CrfClientConfig>;

/** @throws {ConfigurationError} naming every invalid option of a client, never its value */
export function checkClientConfig(config: unknown): void {
  refuseProblems(optionProblems(config, OPTIONS));
}
