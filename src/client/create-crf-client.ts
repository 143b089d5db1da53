import type { Agent } from 'node:http';
import {
  withDefaults,
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
import { ApiToken, API_TOKEN_RULE } from '../domain/identifiers/api-token.js';
import { ApiUrl, API_URL_RULE } from '../domain/identifiers/api-url.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { createWire } from '../gateways/redcap/create-wire.js';
import { redcapGateway } from '../gateways/redcap/redcap-gateway.js';
import { SYSTEM_CLOCK, type Clock } from '../gateways/redcap/resilience/clock.js';
import {
  DEFAULT_RESILIENCE,
  LOCAL_RESILIENCE,
  type ResilienceOptions,
  type ResilienceState,
} from '../gateways/redcap/resilience/resilience-options.js';
import { SharedReads } from '../gateways/redcap/resilience/shared-reads.js';
import type { UpstreamTimeouts } from '../gateways/redcap/http-exchange.js';
import type { CallObserver } from '../gateways/redcap/observe.js';
import type { ImportEncoding } from '../gateways/redcap/redcap-transport.js';
import type { ProjectClient, ProjectType } from './project-client.js';
import { composeClient } from './compose-client.js';

/** The options of `createCrfClient`. Only `url` and `token` are required. */
export interface CrfClientConfig {
  /** The URL of REDCap's API, such as `https://redcap.example.org/api/`. The final slash is optional. */
  readonly url: string | ApiUrl;
  /** The project's token: 32 hexadecimal characters, or 64 for a super token. */
  readonly token: string | ApiToken;
  /** The time limits of each stage of a call; 5, 30 and 30 seconds by default. */
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** Retries, total time, queue, ceiling, circuit breaker and cache; `DEFAULT_RESILIENCE` by default. */
  readonly resilience?: Partial<ResilienceOptions> | undefined;
  /** Your own agent, for a proxy or a private certificate authority. `close` does not close it. */
  readonly agent?: Agent | undefined;
  /** The largest answer that is held in memory, 64 MiB by default. Streams have no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * How imports are encoded: `multipart` by default, `urlencoded` for a proxy that refuses `multipart`. Then `importData`
   * refuses bytes that are not UTF-8.
   */
  readonly importEncoding?: ImportEncoding | undefined;
  /** Ceiling, circuit breaker and cache shared by several processes; local to this process by default. */
  readonly shared?: ResilienceState | undefined;
  /** Notified of every call. */
  readonly observer?: CallObserver | undefined;
  /** Time and random numbers, for tests. */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a client of one REDCap project. Nothing is sent before the first call. Call `close` when you no longer need
 * it.
 *
 * @throws {ConfigurationError} naming every invalid option, never its value
 */
export function createCrfClient(config: CrfClientConfig): CrfClient;
/**
 * Creates a client that is typed for a project: `createCrfClient<Project>(…)` with the `Project` that `crf types`
 * writes. It is the same client, but names and values that the project does not have do not compile.
 *
 * @throws {ConfigurationError} naming every invalid option, never its value
 */
export function createCrfClient<P extends ProjectType>(config: CrfClientConfig): ProjectClient<P>;
// The same object in both cases: the knowledge of a project only exists in the types.
export function createCrfClient(config: CrfClientConfig): unknown {
  refuseProblems(optionProblems(config, OPTIONS));
  const { timeouts, agent, maxAnswerBytes, importEncoding, observer } = config;
  const { clock = SYSTEM_CLOCK, shared = LOCAL_RESILIENCE } = config;
  const resilience = withDefaults(DEFAULT_RESILIENCE, config.resilience);
  const wire = createWire({
    url: ApiUrl(config.url),
    token: ApiToken(config.token),
    ...{ timeouts, agent, maxAnswerBytes, importEncoding },
    ...{ resilience, clock, shared, observer },
    versionOf: (options) => calls.getVersion(options),
  });
  const calls = redcapGateway(wire, new SharedReads(resilience.cacheMs, clock, shared.cacheVersion));
  return composeClient(calls);
}

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
