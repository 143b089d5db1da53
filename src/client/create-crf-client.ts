import { withDefaults } from '../domain/identifiers/check-options.js';
import { ApiToken } from '../domain/identifiers/api-token.js';
import { ApiUrl } from '../domain/identifiers/api-url.js';
import { checkClientConfig } from './check-client-config.js';
import type { CrfClientConfig } from './crf-client-config.js';
import type { ProjectClient, ProjectType } from './project-client.js';
import { composeClient } from './compose-client.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import { createWire } from '../gateways/redcap/create-wire.js';
import { RedcapGateway } from '../gateways/redcap/redcap-gateway.js';
import { SYSTEM_CLOCK } from '../gateways/redcap/resilience/clock.js';
import { DEFAULT_RESILIENCE } from '../gateways/redcap/resilience/resilience-options.js';
import { LOCAL_RESILIENCE } from '../gateways/redcap/resilience/resilience-state.js';
import { SharedReads } from '../gateways/redcap/resilience/shared-reads.js';

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
  checkClientConfig(config);
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
  const calls = new RedcapGateway(wire, new SharedReads(resilience.cacheMs, clock, shared.cacheVersion));
  return composeClient(calls);
}
