import type { Email } from '../../../domain/identifiers/email.js';
import { ProblemError } from '../../../domain/errors/problem-error.js';
import { canonicalAddress } from './canonical-address.js';
import { compileDomainRule, type DomainRule, type DomainValidation } from './domain-rule.js';

/** The part of the configuration that concerns addresses. */
export interface SignupEmailConfig {
  readonly domainValidation: DomainValidation;
}

interface CompiledRule {
  readonly allowed: unknown;
  readonly rule: DomainRule;
}

const compiledRules = new WeakMap<SignupEmailConfig, CompiledRule>();

/**
 * Validates and normalises the address of a person who wants to sign in.
 *
 * @returns the canonical address: use only this string from here on
 * @throws {InvalidIdentifierError} it is malformed
 * @throws {ProblemError} `domain_not_allowed`: its domain is not on the allow-list
 * @throws {ConfigurationError} there is no usable allow-list
 */
export function validateSignupEmail(email: unknown, config: SignupEmailConfig): Email {
  const rule = ruleOf(config);
  const address = canonicalAddress(email);
  if (!rule.admits(address)) throw new ProblemError('domain_not_allowed');
  return address;
}

/** Returns the compiled rule. It is compiled on first use and cached as long as the configuration exists. */
function ruleOf(config: SignupEmailConfig): DomainRule {
  // An untyped caller may omit the setting. This is reported as a configuration error, not as a TypeError.
  const settings = config as { domainValidation?: Partial<DomainValidation> } | null | undefined;
  const allowed = settings?.domainValidation?.allowedDomainsRegexp;
  const known = compiledRules.get(config);
  if (known !== undefined && known.allowed === allowed) return known.rule;

  const rule = compileDomainRule(allowed);
  compiledRules.set(config, { allowed, rule });
  return rule;
}
