import { checked } from '../../domain/identifiers/check-options.js';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { apiKeyOf } from '../../gateways/appwrite/appwrite-connection.js';
import { Pseudonyms } from '../pseudonyms.js';
import { AccountDeletion } from './account-deletion.js';
import { checkAuthConfig, type AuthServiceConfig } from './auth-settings.js';
import { AuthJournal } from './auth-event.js';
import { deriveAuthKeys } from './auth-keys.js';
import { AUTH_ARGUMENTS } from './auth-arguments.js';
import type { AuthParts } from './auth-parts.js';
import type { Auth } from './auth-types.js';
import { EndedSessions } from './ended-sessions.js';
import { type KeyValueStoreFactory, MemoryKeyValueStore } from './key-value-store.js';
import { LinkLogin } from './link-login.js';
import { LinkRequests } from './link-requests.js';
import { LinkUses } from './link-uses.js';
import { OtherDevice } from './other-device.js';
import { SessionChecks } from './session-checks.js';
import { BindingCookie, SessionCookie } from './browser-cookies.js';
import { Sessions } from './sessions.js';
import { Signup } from './signup.js';

/**
 * Creates the authentication service on Appwrite: signup, login, logout and account deletion with magic URLs.
 *
 * It has no connections or timers and does not need to be closed. Services with the same API key accept each other's
 * cookies and links. They share their state only through `stores`.
 *
 * @throws {ConfigurationError} names every invalid setting, but never its value
 */
export function createAuthService(config: AuthServiceConfig): Auth {
  const checkedConfig = checkAuthConfig(config);
  const { identity, settings, domains } = checkedConfig;
  const { clock, isSecure, linkMaxAgeSeconds } = settings;
  const keys = deriveAuthKeys(apiKeyOf(config.appwrite), config.appwrite.projectId);
  const pseudonyms = new Pseudonyms(config.pseudonymKey ?? keys.pseudonym);
  const stores: KeyValueStoreFactory = config.stores ?? (() => new MemoryKeyValueStore());
  const parts: AuthParts = {
    ...checkedConfig,
    keys,
    journal: new AuthJournal(pseudonyms, clock, config.onEvent),
    binding: new BindingCookie(settings.bindingCookieName, isSecure, linkMaxAgeSeconds),
    links: new LinkUses(stores),
    requests: new LinkRequests(stores, linkMaxAgeSeconds * 1000, clock),
  };
  const idleMs = settings.sessionIdleSeconds * 1000;
  const believedMs = settings.sessionCheckSeconds * 1000;
  const sessions = new Sessions(
    parts,
    new SessionCookie({ key: keys.cookie, name: settings.sessionCookieName, isSecure, idleMs, clock }),
    new SessionChecks(identity, domains, stores('session-check'), believedMs, clock),
    new EndedSessions(identity, stores('ended-session'), settings.sessionMaxAgeSeconds * 1000, clock),
  );
  const linkLogin = new LinkLogin(parts, sessions);
  const signup = new Signup(parts);
  const otherDevice = new OtherDevice(parts, linkLogin);
  const accountDeletion = new AccountDeletion(parts, sessions, stores('account-deletion'));
  // Closures, to hide the keys in the parts from `inspect`.
  const auth: Auth = {
    signupWithEmail: (email, cookies, options = {}) => signup.request(email, cookies, options),
    login: (userId, secret, cookies, options) => linkLogin.use(userId, secret, cookies, options),
    checkLink: (userId, secret, cookies, options) => linkLogin.check(userId, secret, cookies, options),
    pendingLink: (cookies) => otherDevice.pendingLink(cookies),
    showCode: (userId, secret, cookies, options) => otherDevice.showCode(userId, secret, cookies, options),
    loginWithCode: (code, cookies, options) => otherDevice.loginWithCode(code, cookies, options?.userAgent),
    logout: (_userId, cookies) => sessions.logout(cookies),
    deleteAccount: (userId, cookies) => accountDeletion.run(userId, cookies),
    isSignedIn: (cookies) => sessions.hasCookie(cookies),
    currentUser: (cookies) => sessions.currentUser(cookies),
    listSessions: (cookies) => sessions.list(cookies),
    personalData: (cookies) => sessions.personalData(cookies),
    endSession: (id, cookies) => sessions.end(id, cookies),
    confirmEndedSessions: () => sessions.confirmEnded(),
    canonicalAddress: (email) => signup.canonicalAddress(email),
    pseudonymOf: (subject) => pseudonyms.of(subject),
    checkReadiness: () => identity.ping(),
  };
  return checked(auth, AUTH_ARGUMENTS, ConfigurationError);
}
