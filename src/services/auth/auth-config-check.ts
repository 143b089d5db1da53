import { aBoolean, aFunction, attempt, isObject, optionProblems } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/operator-errors.js';
import type { AppwriteOptions } from '../../gateways/appwrite/appwrite-connection.js';
import { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import { compileDomainRule, type DomainRule } from './address/domain-rule.js';
import { authSettings, type AuthServiceConfig, type AuthSettings } from './auth-settings.js';

const OPTIONS = {
  resolveUserId: aFunction,
  signedLinksOnly: aBoolean,
  secureCookies: aBoolean,
  stores: aFunction,
  clock: aFunction,
  onEvent: aFunction,
};

/** What the configuration of the authentication service says, checked. */
export interface CheckedAuthConfig {
  readonly identity: AppwriteGateway;
  readonly settings: AuthSettings;
  readonly domains: DomainRule;
}

/**
 * Reads every group of the configuration, so that all mistakes are reported at once.
 *
 * @throws {ConfigurationError} naming every setting that is wrong, never its value
 */
export function checkAuthConfig(config: AuthServiceConfig): CheckedAuthConfig {
  const problems = optionProblems(config, OPTIONS);
  // Without types the whole, or a group, can be missing: then each of its settings is, and that is no TypeError (MAIL-07).
  const given: Partial<AuthServiceConfig> = isObject(config) ? config : {};
  const validation: Partial<AuthServiceConfig['domainValidation']> = isObject(given.domainValidation)
    ? given.domainValidation
    : {};
  const appwrite = { ...given.appwrite } as AppwriteOptions;

  const identity = attempt(() => new AppwriteGateway(appwrite), problems);
  const settings = attempt(() => authSettings(given as AuthServiceConfig), problems);
  const domains = attempt(() => compileDomainRule(validation.allowedDomainsRegexp), problems);
  if (problems.length > 0 || !identity || !settings || !domains) throw new ConfigurationError(problems);
  return { identity, settings, domains };
}
