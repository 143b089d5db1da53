import {
  aBoolean,
  aFunction,
  aGroup,
  attempt,
  anyValue,
  isObject,
  optionProblems,
  optional,
  type OptionRules,
} from '../../domain/identifiers/check-options.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import type { AppwriteOptions } from '../../gateways/appwrite/appwrite-connection.js';
import { AppwriteGateway } from '../../gateways/appwrite/appwrite-gateway.js';
import { compileDomainRule, type DomainRule, type DomainValidation } from './address/domain-rule.js';
import { authSettings, type AuthServiceConfig, type AuthSettings } from './auth-settings.js';

const APPWRITE = {
  endpoint: anyValue,
  projectId: anyValue,
  apiKey: anyValue,
  timeoutMs: anyValue,
} satisfies OptionRules<keyof AppwriteOptions>;

const DOMAIN_VALIDATION = {
  allowedDomainsRegexp: anyValue,
} satisfies OptionRules<keyof DomainValidation>;

const A_KEY = optional(
  (value) => Buffer.isBuffer(value) && value.length >= 32,
  'must be a Buffer of at least 32 bytes',
);

const OPTIONS = {
  appwrite: aGroup(APPWRITE),
  loginUrl: anyValue,
  domainValidation: aGroup(DOMAIN_VALIDATION),
  resolveUserId: aFunction,
  onAccountDeleted: aFunction,
  loginConfirm: anyValue,
  showAllowedDomains: aBoolean,
  signedLinksOnly: aBoolean,
  secureCookies: aBoolean,
  cookieName: anyValue,
  linkMaxAgeSeconds: anyValue,
  sessionMaxAgeSeconds: anyValue,
  sessionIdleSeconds: anyValue,
  recentSignInSeconds: anyValue,
  sessionCheckSeconds: anyValue,
  signupFloorMs: anyValue,
  stores: aFunction,
  pseudonymKey: A_KEY,
  clock: aFunction,
  wait: aFunction,
  onEvent: aFunction,
} satisfies OptionRules<keyof AuthServiceConfig>;

/** The validated configuration of the authentication service. */
export interface CheckedAuthConfig {
  readonly identity: AppwriteGateway;
  readonly settings: AuthSettings;
  readonly domains: DomainRule;
}

/**
 * Validates all groups of the configuration, so that all errors are reported together.
 *
 * @throws {ConfigurationError} names every invalid setting, but never its value
 */
export function checkAuthConfig(config: AuthServiceConfig): CheckedAuthConfig {
  const problems = optionProblems(config, OPTIONS);
  // An untyped caller may omit the whole configuration or a group. Each of its settings is then reported as missing,
  // instead of a TypeError (MAIL-07).
  const given: Partial<AuthServiceConfig> = isObject(config) ? config : {};
  const validation: Partial<AuthServiceConfig['domainValidation']> = isObject(given.domainValidation)
    ? given.domainValidation
    : {};
  const appwrite = { ...given.appwrite } as AppwriteOptions;

  const identity = attempt(() => new AppwriteGateway(appwrite), problems);
  const settings = attempt(() => authSettings(given as AuthServiceConfig), problems);
  const domains = attempt(() => compileDomainRule(validation.allowedDomainsRegexp), problems);
  if (settings?.showAllowedDomains === true && domains?.domains.length === 0)
    problems.push({
      field: 'showAllowedDomains',
      message:
        'requires that allowedDomainsRegexp (ALLOWED_DOMAINS_REGEXP) only lists domains, as in a\\.org|b\\.org',
    });
  if (problems.length > 0 || !identity || !settings || !domains) throw new ConfigurationError(problems);
  return { identity, settings, domains };
}
