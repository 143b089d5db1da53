import type { AuthSettings } from '../app/create-app-options.js';
import type { Settings } from './config/settings.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { isLoopbackHost } from '../domain/identifiers/api-url.js';
import type { AuthEvent } from '../services/auth/auth-event.js';
import { createAuthService } from '../services/auth/create-auth-service.js';
import type { UserFinder } from '../services/user-finder.js';
import { ownPseudonymKey } from './derived-keys.js';
import type { Sandboxes } from './start-sandboxes.js';

/** Creates the sign-in: with the configured Appwrite, or on the sandbox with its own. Otherwise nobody can sign in. */
export function createSignIn(
  settings: Settings,
  sandboxes: Sandboxes | undefined,
  url: string,
  users: UserFinder | undefined,
  onEvent: (event: AuthEvent) => void,
  shared: SharedState | undefined,
): AuthSettings | undefined {
  const { signIn, sandboxDomainsRegexp, values } = settings;
  const appwrite = signIn ? { ...signIn, apiKey: () => signIn.apiKey.reveal() } : sandboxes?.identity;
  if (appwrite === undefined) return undefined;
  const loginUrl = signIn?.loginUrl ?? sandboxLoginUrl(url);
  const service = createAuthService({
    appwrite: { endpoint: appwrite.endpoint, projectId: appwrite.projectId, apiKey: appwrite.apiKey },
    loginUrl,
    domainValidation: { allowedDomainsRegexp: signIn?.allowedDomainsRegexp ?? sandboxDomainsRegexp },
    showAllowedDomains: values.SHOW_ALLOWED_DOMAINS === 'true',
    signedLinksOnly: values.SIGNED_LINKS_ONLY === 'true',
    loginConfirm: values.LOGIN_CONFIRM,
    sessionMaxAgeSeconds: values.SESSION_MAX_AGE_SECONDS,
    sessionIdleSeconds: values.SESSION_IDLE_SECONDS,
    stores: shared?.keyValueStore,
    pseudonymKey: ownPseudonymKey(settings),
    resolveUserId: users && ((email) => users.idOf(email)),
    onEvent,
  });
  return {
    service,
    trustedOrigins: [new URL(loginUrl).origin],
    isSandbox: signIn === undefined,
    takesCodes: values.LOGIN_CONFIRM !== 'never',
  };
}

/** Links over plain http work only on this machine, so a sandbox that listens on every address uses `localhost`. */
function sandboxLoginUrl(url: string): string {
  const login = new URL('/login', url);
  if (!isLoopbackHost(login.hostname)) login.hostname = 'localhost';
  return login.href;
}
